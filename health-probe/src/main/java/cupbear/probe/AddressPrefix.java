// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import io.netty.util.NetUtil;

/**
 * A range of IP addresses, as {@code fdaa:0:18:a7b::/64} or {@code 127.0.0.0/8}.
 *
 * @param network the first address, 4 or 16 octets
 * @param bits how many of them are fixed
 */
record AddressPrefix(String network, int bits) {

  AddressPrefix {
    byte[] octets = octets(network);
    if (octets.length == 0 || bits < 0 || bits > octets.length * 8) {
      throw new IllegalArgumentException(
          network + "/" + bits + " is not an address prefix; write it as fdaa:0:18::/48");
    }
    for (int bit = bits; bit < octets.length * 8; bit++) {
      if ((octets[bit / 8] >> (7 - bit % 8) & 1) != 0) {
        throw new IllegalArgumentException(
            network + "/" + bits + " has bits set behind its prefix; is the length right?");
      }
    }
  }

  static AddressPrefix parse(String text) {
    int slash = text.lastIndexOf('/');
    String bits = text.substring(slash + 1);
    if (slash < 0 || !bits.matches("[0-9]{1,3}")) {
      throw new IllegalArgumentException(
          "'" + text + "' is not an address prefix; write it as fdaa:0:18::/48");
    }
    return new AddressPrefix(text.substring(0, slash), Integer.parseInt(bits));
  }

  boolean contains(byte[] address) {
    byte[] octets = octets(network);
    if (address.length != octets.length) return false;
    for (int bit = 0; bit < bits; bit++) {
      int differing = (address[bit / 8] ^ octets[bit / 8]) >> (7 - bit % 8) & 1;
      if (differing != 0) return false;
    }
    return true;
  }

  @Override
  public String toString() {
    return network + "/" + bits;
  }

  private static byte[] octets(String literal) {
    byte[] octets = NetUtil.createByteArrayFromIpAddressString(literal);
    return octets == null ? new byte[0] : octets;
  }
}
