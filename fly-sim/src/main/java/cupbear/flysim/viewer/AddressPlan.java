// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import cupbear.flysim.Viewers.Address;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Which Machine is dialled where. Addresses come in blocks; a block is claimed by listening on its
 * first slot, so several simulators on one computer keep apart, and a killed one leaves nothing
 * behind. Thread-safe: the simulator reserves, event loops release.
 */
final class AddressPlan implements AutoCloseable {

  // 127.64/16 to 127.250/16: far from what resolvers and containers use at either end.
  private static final int NETWORK_FIRST = 64;
  private static final int NETWORKS = 187;
  // The last slot of a /16 would be its broadcast address.
  private static final int HOSTS = 0xFFFF;

  // Below the ephemeral ports of all systems: no outgoing connection sits on a reserved port.
  private static final int PORT_FIRST = 16_384;
  private static final int PORT_BLOCKS = 8;
  private static final int PORT_PAIRS = 1_024;

  private static final int CLAIM_SLOT = 1;

  private final ViewerSettings settings;
  private final List<ServerSocket> claims = new ArrayList<>();
  private final Deque<Address> released = new ArrayDeque<>();
  private int block = -1;
  private int slot;

  /** Claims a first block; throws when there is none, saying what to change. */
  AddressPlan(ViewerSettings settings) {
    this.settings = settings;
    if (!nextBlock()) {
      throw new IllegalStateException(
          "every block of loopback addresses is taken for ports "
              + settings.guacdPort()
              + " and "
              + settings.rdpPort()
              + ": end what listens on 0.0.0.0 with one of them, or choose other ports");
    }
  }

  /** An address where nothing listens; empty when all blocks are used up. */
  synchronized Optional<Address> take() {
    do {
      while (slot < slots()) {
        Address address = address(slot++);
        if (isFree(address)) {
          return Optional.of(address);
        }
      }
    } while (nextBlock());
    // Oldest first: whoever still dials a former Machine should not meet another one.
    return Optional.ofNullable(released.poll());
  }

  synchronized void giveBack(Address address) {
    released.add(address);
  }

  @Override
  public synchronized void close() {
    claims.forEach(AddressPlan::closeQuietly);
    claims.clear();
  }

  private boolean nextBlock() {
    while (++block < blocks()) {
      if (claim(address(CLAIM_SLOT))) {
        slot = CLAIM_SLOT + 1;
        return true;
      }
    }
    return false;
  }

  private boolean claim(Address first) {
    List<ServerSocket> both = new ArrayList<>();
    try {
      both.add(listen(first.host(), first.guacdPort()));
      both.add(listen(first.host(), first.rdpPort()));
    } catch (IOException taken) {
      both.forEach(AddressPlan::closeQuietly);
      return false;
    }
    claims.addAll(both);
    return true;
  }

  private static ServerSocket listen(String host, int port) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.bind(new InetSocketAddress(host, port), 1);
      return socket;
    } catch (IOException taken) {
      socket.close();
      throw taken;
    }
  }

  private static boolean isFree(Address address) {
    return isFree(address.host(), address.guacdPort()) && isFree(address.host(), address.rdpPort());
  }

  private static boolean isFree(String host, int port) {
    // Bound but not listening: asking must not be mistaken for a Machine that answers.
    try (Socket socket = new Socket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(host, port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }

  private int blocks() {
    return switch (settings.addressing()) {
      case OWN_ADDRESS -> NETWORKS;
      case OWN_PORTS -> PORT_BLOCKS;
    };
  }

  private int slots() {
    return switch (settings.addressing()) {
      case OWN_ADDRESS -> HOSTS;
      case OWN_PORTS -> PORT_PAIRS;
    };
  }

  private Address address(int number) {
    return switch (settings.addressing()) {
      case OWN_ADDRESS ->
          new Address(
              "127.%d.%d.%d".formatted(NETWORK_FIRST + block, number >> 8, number & 0xFF),
              settings.guacdPort(),
              settings.rdpPort());
      case OWN_PORTS -> {
        int port = PORT_FIRST + 2 * (block * PORT_PAIRS + number);
        yield new Address("127.0.0.1", port, port + 1);
      }
    };
  }

  private static void closeQuietly(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException gone) {
      // A listening socket holds no data that could be lost.
    }
  }
}
