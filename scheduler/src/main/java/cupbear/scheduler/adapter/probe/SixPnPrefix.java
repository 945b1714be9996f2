// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.probe;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;

/**
 * The prefix that all Machines of one 6PN network share: Fly's 16 bits and the 32 of the network.
 * The scheduler lives on the same network as its viewers, so its own address tells theirs.
 */
public final class SixPnPrefix {
  /** What is the same for all of a network. */
  public static final int NETWORK_BITS = 48;

  private static final int GROUPS = NETWORK_BITS / 16;

  private SixPnPrefix() {}

  /**
   * @param address a 6PN address of the network, such as this process's {@code FLY_PRIVATE_IP}
   * @throws IllegalArgumentException when it is no 6PN address, saying what to give
   */
  public static String of(String address) {
    byte[] octets = octets(address);
    boolean sixPn = octets.length == 16 && octets[0] == (byte) 0xfd && octets[1] == (byte) 0xaa;
    if (!sixPn) {
      throw new IllegalArgumentException(
          "'%s' is no 6PN address; run inside Fly's private network, where FLY_PRIVATE_IP has one"
              .formatted(address));
    }
    StringBuilder prefix = new StringBuilder();
    for (int group = 0; group < GROUPS; group++) {
      String hex = HexFormat.of().formatHex(octets, 2 * group, 2 * group + 2);
      prefix.append(Integer.toHexString(Integer.parseInt(hex, 16))).append(':');
    }
    return prefix.append(":/").append(NETWORK_BITS).toString();
  }

  private static byte[] octets(String address) {
    // Literals only: a name would be looked up.
    if (!address.matches("[0-9A-Fa-f:]{3,39}") || !address.contains(":")) return new byte[0];
    try {
      return InetAddress.getByName(address).getAddress();
    } catch (UnknownHostException notAnAddress) {
      return new byte[0];
    }
  }
}
