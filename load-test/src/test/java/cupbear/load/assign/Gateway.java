// SPDX-License-Identifier: Apache-2.0
package cupbear.load.assign;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** One caller's connections to the replicas, with nothing in between that repeats or hides. */
final class Gateway implements AutoCloseable {
  /** A whole answer; one that was cut off is none. */
  record Reply(int status, String body) {}

  private static final int TIMEOUT_MS = 10_000;

  private record Line(Socket socket, InputStream in) {}

  private final String token;
  private final Map<Integer, Line> lines = new HashMap<>();

  Gateway(String token) {
    this.token = token;
  }

  Reply call(int port, String method, String path, String key, String body) throws IOException {
    try {
      Line line = send(port, method, path, key, body);
      return read(line.in());
    } catch (IOException e) {
      hangUp(port);
      throw e;
    }
  }

  /** Sends a request and does not stay for its answer. */
  void sendAndHangUp(int port, String path, String key, String body, long afterMs)
      throws IOException, InterruptedException {
    send(port, "POST", path, key, body);
    Thread.sleep(afterMs);
    hangUp(port);
  }

  private Line send(int port, String method, String path, String key, String body)
      throws IOException {
    Line line = lines.get(port);
    if (line == null) {
      Socket socket = new Socket();
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(TIMEOUT_MS);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MS);
      line = new Line(socket, new BufferedInputStream(socket.getInputStream()));
      lines.put(port, line);
    }
    byte[] bytes = body.getBytes(UTF_8);
    String head =
        method
            + " "
            + path
            + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer "
            + token
            + "\r\n"
            + (key.isEmpty() ? "" : "Idempotency-Key: " + key + "\r\n")
            + (body.isEmpty() ? "" : "Content-Type: application/json\r\n")
            + "Content-Length: "
            + bytes.length
            + "\r\n\r\n"
            + body;
    line.socket().getOutputStream().write(head.getBytes(UTF_8));
    return line;
  }

  private static Reply read(InputStream in) throws IOException {
    String status = line(in);
    int length = 0;
    for (String header = line(in); !header.isEmpty(); header = line(in)) {
      String lower = header.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:"))
        length = Integer.parseInt(lower.substring(15).trim());
    }
    byte[] body = in.readNBytes(length);
    if (body.length < length) throw new IOException("cut off");
    return new Reply(Integer.parseInt(status.substring(9, 12)), new String(body, UTF_8));
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) throw new IOException("cut off");
      if (c != '\r') text.append((char) c);
    }
    return text.toString();
  }

  private void hangUp(int port) throws IOException {
    Line line = lines.remove(port);
    if (line != null) line.socket().close();
  }

  @Override
  public void close() {
    for (Line line : lines.values()) {
      try {
        line.socket().close();
      } catch (IOException gone) {
        // It is what we want.
      }
    }
  }
}
