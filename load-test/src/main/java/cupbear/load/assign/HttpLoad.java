// SPDX-License-Identifier: Apache-2.0
package cupbear.load.assign;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Iterator;

/**
 * Asks for sessions over so many connections, each with one request on its way, as fast as answers
 * come: a closed loop. One thread and no garbage, for it shares its cores with what it measures.
 * Its latencies are those of a server that is always full; a caller that came while all connections
 * were waiting is not in them.
 */
final class HttpLoad {
  /**
   * One round: how many were granted, how many were not, how long each took.
   *
   * @param refusal one of the answers that were no grants, for people; empty when there was none
   */
  record Outcome(
      int granted,
      int refused,
      String refusal,
      double perSecond,
      double p50,
      double p95,
      double p99) {}

  private static double millis(long[] sorted, double quantile) {
    int at = (int) Math.ceil(quantile * sorted.length) - 1;
    return sorted[Math.max(0, at)] / 1e6;
  }

  private static final int KEY_DIGITS = 16;
  private static final byte[] CREATED = "201".getBytes(US_ASCII);
  private static final int STATUS_AT = "HTTP/1.1 ".length();

  private final int port;
  private final byte[] template;
  private final int keyAt;
  private final String body;

  HttpLoad(int port, String token, String pool) {
    this.port = port;
    this.body = "{\"pool\":\"%s\",\"tenant\":\"acme\",\"wait\":\"0s\"}".formatted(pool);
    String head =
        """
        POST /v1/sessions HTTP/1.1\r
        Host: 127.0.0.1\r
        Authorization: Bearer %s\r
        Content-Type: application/json\r
        Content-Length: %d\r
        Idempotency-Key:\
        """
            .formatted(token, body.length());
    this.template = (head + " " + "0".repeat(KEY_DIGITS) + "\r\n\r\n" + body).getBytes(US_ASCII);
    this.keyAt = head.length() + 1;
  }

  /** One connection: the request that goes out, and what has come back of the answer. */
  private final class Line {
    final ByteBuffer out = ByteBuffer.wrap(template.clone());
    final ByteBuffer in = ByteBuffer.allocate(16 * 1024);
    long sentAt;

    void ask(SocketChannel channel, long serial) throws IOException {
      long left = serial;
      for (int i = keyAt + KEY_DIGITS - 1; i >= keyAt; i--) {
        out.put(i, (byte) ('0' + left % 10));
        left /= 10;
      }
      out.clear();
      in.clear();
      sentAt = System.nanoTime();
      // A request is far smaller than a socket's buffer, and the one before was answered.
      while (out.hasRemaining()) channel.write(out);
    }

    /** Where the answer ends; 0 when it is not all there yet. */
    private int end() {
      byte[] bytes = in.array();
      int length = 0;
      for (int i = 0; i + 3 < in.position(); i++) {
        if (bytes[i] != '\n') continue;
        if (bytes[i + 1] == '\r') {
          int end = i + 3 + length;
          return in.position() >= end ? end : 0;
        }
        if (startsLength(bytes, i + 1)) length = number(bytes, i + 17);
      }
      return 0;
    }

    boolean isAnswered() {
      return end() > 0;
    }

    boolean isGranted() {
      return Arrays.equals(in.array(), STATUS_AT, STATUS_AT + 3, CREATED, 0, 3);
    }
  }

  private static boolean startsLength(byte[] bytes, int at) {
    byte[] name = LENGTH;
    if (at + name.length >= bytes.length) return false;
    for (int i = 0; i < name.length; i++) {
      if ((bytes[at + i] | 0x20) != name[i]) return false;
    }
    return true;
  }

  private static final byte[] LENGTH = "content-length:".getBytes(US_ASCII);

  private static int number(byte[] bytes, int at) {
    int value = 0;
    for (int i = at; bytes[i] >= '0' && bytes[i] <= '9'; i++) value = value * 10 + bytes[i] - '0';
    return value;
  }

  /**
   * Runs until so many requests were answered.
   *
   * @param firstKey keys count on from here
   */
  Outcome run(int connections, int requests, long firstKey) {
    try (Selector selector = Selector.open()) {
      for (int i = 0; i < connections; i++) open(selector);
      return run(selector, requests, firstKey);
    } catch (IOException e) {
      throw new UncheckedIOException("the server hung up: " + e.getMessage(), e);
    }
  }

  private void open(Selector selector) throws IOException {
    SocketChannel channel =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.socket().setTcpNoDelay(true);
    channel.configureBlocking(false);
    channel.register(selector, SelectionKey.OP_READ, new Line());
  }

  private Outcome run(Selector selector, int requests, long firstKey) throws IOException {
    long[] latencies = new long[requests];
    int asked = 0;
    int granted = 0;
    int answered = 0;
    String refusal = "";
    long begin = System.nanoTime();
    for (SelectionKey key : selector.keys()) {
      if (asked < requests) line(key).ask((SocketChannel) key.channel(), firstKey + asked++);
    }
    while (answered < requests) {
      selector.select();
      Iterator<SelectionKey> ready = selector.selectedKeys().iterator();
      while (ready.hasNext()) {
        SelectionKey key = ready.next();
        ready.remove();
        Line line = line(key);
        SocketChannel channel = (SocketChannel) key.channel();
        if (channel.read(line.in) < 0) throw new IOException("connection closed");
        if (!line.isAnswered()) continue;
        latencies[answered++] = System.nanoTime() - line.sentAt;
        if (line.isGranted()) granted++;
        else refusal = new String(line.in.array(), 0, line.in.position(), US_ASCII);
        if (asked < requests) line.ask(channel, firstKey + asked++);
      }
    }
    long took = System.nanoTime() - begin;
    for (SelectionKey key : selector.keys()) key.channel().close();
    Arrays.sort(latencies);
    return new Outcome(
        granted,
        requests - granted,
        refusal,
        requests * 1e9 / took,
        millis(latencies, 0.50),
        millis(latencies, 0.95),
        millis(latencies, 0.99));
  }

  private static Line line(SelectionKey key) {
    return (Line) key.attachment();
  }
}
