// SPDX-License-Identifier: Apache-2.0
package cupbear.probe.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Accepts connections and says nothing. */
final class SilentServer implements AutoCloseable {
  private final ServerSocket listening;
  private final List<Socket> sockets = new ArrayList<>();
  private volatile Runnable onAccept = () -> {};

  SilentServer() throws IOException {
    listening = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().name("silent-server").start(this::accept);
  }

  InetSocketAddress address() {
    return (InetSocketAddress) listening.getLocalSocketAddress();
  }

  /** When so many connections have been accepted. */
  CompletableFuture<Void> accepted(int count) {
    CompletableFuture<Void> reached = new CompletableFuture<>();
    Runnable check =
        () -> {
          synchronized (sockets) {
            if (sockets.size() >= count) reached.complete(null);
          }
        };
    onAccept = check;
    check.run();
    return reached;
  }

  private void accept() {
    while (true) {
      try {
        Socket socket = listening.accept();
        synchronized (sockets) {
          sockets.add(socket);
        }
        onAccept.run();
      } catch (IOException closed) {
        return;
      }
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    synchronized (sockets) {
      for (Socket socket : sockets) socket.close();
    }
  }
}
