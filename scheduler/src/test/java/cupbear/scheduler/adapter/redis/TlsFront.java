// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import redis.clients.jedis.HostAndPort;

/** Speaks TLS in front of a server that cannot. Counts what came through in clear. */
final class TlsFront implements AutoCloseable {
  private final ServerSocket door;
  private final HostAndPort behind;
  private final AtomicLong bytes = new AtomicLong();

  TlsFront(SSLContext tls, HostAndPort behind) {
    this.behind = behind;
    try {
      this.door =
          tls.getServerSocketFactory().createServerSocket(0, 16, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return door.getLocalPort();
  }

  /** What clients have sent through it. */
  long bytes() {
    return bytes.get();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = door.accept();
        Socket server = new Socket(behind.getHost(), behind.getPort());
        pump(client, server, bytes);
        pump(server, client, new AtomicLong());
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private static void pump(Socket from, Socket to, AtomicLong counted) {
    Thread.ofVirtual()
        .start(() -> {
          try (from;
              to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[8_192];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
              counted.addAndGet(n);
              out.write(buffer, 0, n);
              out.flush();
            }
          } catch (IOException gone) {
            // One side hung up; the other is closed with it.
          }
        });
  }

  @Override
  public void close() throws IOException {
    door.close();
  }
}
