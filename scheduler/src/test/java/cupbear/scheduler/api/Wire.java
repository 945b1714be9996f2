// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** One bare connection, for requests that no decent client would send. */
final class Wire implements AutoCloseable {
  private static final int ANSWER_WITHIN_MILLIS = 15_000;

  private final Socket socket;
  private final InputStream in;

  Wire(int port) {
    try {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setSoTimeout(ANSWER_WITHIN_MILLIS);
      socket.setTcpNoDelay(true);
      in = new BufferedInputStream(socket.getInputStream());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  void send(String text) {
    send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** What cannot be sent because the other end is closed is not our matter; its answer is. */
  void send(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
    } catch (IOException closed) {
      // Read what it said before.
    }
  }

  /** The next answer; empty when the connection ended instead. */
  Optional<Client.Reply> answer() {
    try {
      String status = line();
      if (status.isEmpty()) return Optional.empty();
      Map<String, String> headers = new LinkedHashMap<>();
      for (String line = line(); !line.isEmpty(); line = line()) {
        int seam = line.indexOf(':');
        headers.put(
            line.substring(0, seam).toLowerCase(Locale.ROOT), line.substring(seam + 1).trim());
      }
      int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
      String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
      return Optional.of(new Client.Reply(Integer.parseInt(status.split(" ")[1]), headers, body));
    } catch (IOException ended) {
      return Optional.empty();
    }
  }

  /** Whether the other end has closed. */
  boolean isClosed() {
    try {
      return in.read() < 0;
    } catch (IOException ended) {
      return true;
    }
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int each = in.read(); each >= 0 && each != '\n'; each = in.read()) {
      if (each != '\r') line.write(each);
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
