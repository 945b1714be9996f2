// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Speaks as much RESP as lanes need and refuses scripts in words told beforehand: the moods of a
 * real server that no test can bring about at will. Once nothing is told any more, none is warm.
 */
final class ScriptedRedis implements AutoCloseable {
  /** In place of an answer: the wire ends. */
  static final String HANG_UP = "hang up";

  private static final String NONE_WARM = "*1\r\n$4\r\nnone\r\n";
  private static final String INFO = "role:master\r\nmaster_replid:" + "a".repeat(40) + "\r\n";

  private static final int BLOCK_MS = 500;
  private static final int GATE_S = 20;

  private volatile CountDownLatch gate = new CountDownLatch(0);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final ServerSocket server;
  private final Queue<String> refusals = new ConcurrentLinkedQueue<>();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger scripts = new AtomicInteger();
  private final AtomicInteger identified = new AtomicInteger();
  private final AtomicInteger loaded = new AtomicInteger();

  ScriptedRedis() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  String url() {
    return "redis://127.0.0.1:" + server.getLocalPort();
  }

  /** The next script gets this for an answer. */
  void refuse(String words) {
    refusals.add(words);
  }

  /** Scripts get no answer until the gate is opened. */
  CountDownLatch hold() {
    gate = new CountDownLatch(1);
    return gate;
  }

  /** Scripts that were asked for. */
  int scripts() {
    return scripts.get();
  }

  /** How often somebody wanted to know who this is: once per connection, and after doubts. */
  int identified() {
    return identified.get();
  }

  int loaded() {
    return loaded.get();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        open.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException closed) {
      // By close().
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      OutputStream out = socket.getOutputStream();
      for (String answer = answer(command(in)); !answer.equals(HANG_UP); ) {
        out.write(answer.getBytes(UTF_8));
        out.flush();
        answer = answer(command(in));
      }
    } catch (IOException gone) {
      // Whoever asked has left, or the test is over.
    } finally {
      open.remove(socket);
    }
  }

  private String answer(List<String> command) throws IOException {
    return switch (command.getFirst().toUpperCase(Locale.ROOT)) {
      case "INFO" -> {
        identified.incrementAndGet();
        yield bulk(INFO);
      }
      case "HELLO" -> "*2\r\n$5\r\nproto\r\n:2\r\n";
      case "TIME" -> "*2\r\n$10\r\n1700000000\r\n$1\r\n0\r\n";
      case "SCRIPT" -> {
        loaded.incrementAndGet();
        yield bulk("f".repeat(40));
      }
      case "EVALSHA" -> {
        scripts.incrementAndGet();
        pass(gate, GATE_S, TimeUnit.SECONDS);
        String words = refusals.poll();
        if (words == null) yield NONE_WARM;
        yield words.equals(HANG_UP) ? HANG_UP : "-" + words + "\r\n";
      }
      case "XREAD" -> {
        // A real server makes its listeners wait for words; here there never are any.
        if (pass(closed, BLOCK_MS, TimeUnit.MILLISECONDS)) throw new IOException("closed");
        yield "*-1\r\n";
      }
      default -> "+OK\r\n";
    };
  }

  private static boolean pass(CountDownLatch gate, int most, TimeUnit unit) {
    try {
      return gate.await(most, unit);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static String bulk(String text) {
    return "$" + text.length() + "\r\n" + text + "\r\n";
  }

  private static List<String> command(InputStream in) throws IOException {
    int parts = Integer.parseInt(line(in).substring(1));
    List<String> command = new ArrayList<>();
    for (int i = 0; i < parts; i++) {
      int length = Integer.parseInt(line(in).substring(1));
      byte[] bytes = in.readNBytes(length + 2);
      if (bytes.length < length + 2) throw new IOException("cut off");
      command.add(new String(bytes, 0, length, UTF_8));
    }
    return command;
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) throw new IOException("cut off");
      if (c != '\r') text.append((char) c);
    }
    return text.toString();
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      server.close();
      for (Socket each : open) each.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
