// SPDX-License-Identifier: Apache-2.0
package cupbear.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/**
 * One Redis server process on a loopback port of its own, watched by a small shell script that ends
 * it as soon as this JVM is gone, even by {@code kill -9}. Not thread-safe: its owner starts and
 * closes it.
 */
public final class RedisProcess {

  static final String HOST = "127.0.0.1";

  /** Starting takes some 0.13 s; a loaded machine may need far longer, a broken one forever. */
  static final Duration READY_WITHIN = Duration.ofSeconds(20);

  private static final Duration POLL = Duration.ofMillis(10);
  private static final Duration GONE_WITHIN = Duration.ofSeconds(10);

  /** A free port may be taken by someone else before Redis binds it; that seldom happens twice. */
  private static final int PORT_ATTEMPTS = 5;

  private final Process guard;
  private final long pid;
  private final RedisAddress address;

  private RedisProcess(Process guard, long pid, RedisAddress address) {
    this.guard = guard;
    this.pid = pid;
    this.address = address;
  }

  /**
   * Starts a server with the settings given for the port it gets, and returns when it answers.
   *
   * @param name sub-folder of the process inside the folder of {@code setup}
   * @param modes further arguments after the configuration file, such as {@code --sentinel}
   */
  static RedisProcess start(
      RedisSetup setup, String name, IntFunction<List<String>> settings, String... modes) {
    for (int attempt = 1; ; attempt++) {
      int port = freePort();
      RedisProcess process = launch(setup, name, port, settings.apply(port), modes);
      @Nullable String failure = process.awaitReady(setup.folder().resolve(name));
      if (failure == null) {
        return process;
      }
      process.kill();
      if (attempt == PORT_ATTEMPTS || !failure.contains("Address already in use")) {
        throw new IllegalStateException("Redis did not start (" + name + "). Its log: " + failure);
      }
    }
  }

  private static RedisProcess launch(
      RedisSetup setup, String name, int port, List<String> settings, String... modes) {
    List<String> config = new ArrayList<>();
    config.add("bind " + HOST);
    config.add("port " + port);
    config.add("dir " + setup.folder().resolve(name));
    config.add("logfile redis.log");
    config.add("requirepass " + setup.password());
    config.addAll(settings);
    Path file = setup.writeConfig(name, config);
    List<String> command = new ArrayList<>();
    if (Files.isExecutable(Path.of("/usr/bin/setsid"))) {
      // A session of its own: Ctrl-C in the terminal reaches us, and we end Redis after our work.
      command.add("/usr/bin/setsid");
    }
    command.addAll(List.of("/bin/sh", "-c", guardScript(), "guard", setup.folder().toString()));
    command.addAll(List.of(setup.binary().toString(), file.toString()));
    command.addAll(List.of(modes));
    try {
      Process guard =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      BufferedReader says = guard.inputReader(UTF_8);
      @Nullable String pid = says.readLine();
      if (pid == null) {
        throw new IOException("the guard script ended with " + guard.waitFor());
      }
      return new RedisProcess(
          guard, Long.parseLong(pid), new RedisAddress(HOST, port, setup.password()));
    } catch (IOException e) {
      throw new UncheckedIOException("Could not start Redis: is /bin/sh there?", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while starting Redis", e);
    }
  }

  private static String guardScript() {
    try (InputStream script = RedisProcess.class.getResourceAsStream("guard.sh")) {
      if (script == null) {
        throw new IllegalStateException("guard.sh is missing from the jar: build again");
      }
      return new String(script.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static int freePort() {
    try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return probe.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("No free loopback port", e);
    }
  }

  /** Null when it answers, else what its log says. */
  private @Nullable String awaitReady(Path folder) {
    String[] failure = new String[1];
    boolean settled =
        await(
            READY_WITHIN,
            () -> {
              if (answers()) {
                return true;
              }
              String log = log(folder);
              if (log.contains("Failed listening on port") || log.contains("FATAL CONFIG")) {
                failure[0] = log;
                return true;
              }
              return false;
            });
    return settled ? failure[0] : "no answer within " + READY_WITHIN + "; " + log(folder);
  }

  private static String log(Path folder) {
    StringBuilder all = new StringBuilder();
    for (Path file : List.of(folder.resolve("redis.log"), folder.resolveSibling("out.log"))) {
      try {
        all.append(Files.exists(file) ? Files.readString(file) : "");
      } catch (IOException notYet) {
        all.append("(no log: ").append(notYet).append(')');
      }
    }
    return all.toString();
  }

  private boolean answers() {
    try (Jedis jedis = address.connect()) {
      return "PONG".equals(jedis.ping());
    } catch (JedisException notYet) {
      return false;
    }
  }

  public RedisAddress address() {
    return address;
  }

  String info(String section) {
    try (Jedis jedis = address.connect()) {
      return jedis.info(section);
    }
  }

  public long pid() {
    return pid;
  }

  /** Dies at once, as in a power cut; its folder stays for the others. */
  public void kill() {
    signal("-KILL");
  }

  /** Stops running but keeps its sockets, like a machine that hangs. */
  public void freeze() {
    signal("-STOP");
  }

  public void thaw() {
    signal("-CONT");
  }

  private void signal(String name) {
    try {
      new ProcessBuilder("kill", name, Long.toString(pid))
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException("Could not signal Redis " + pid, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends it through its guard, which also deletes the folder of the whole set-up. */
  void close() {
    try {
      guard.getOutputStream().close();
      if (!guard.waitFor(GONE_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
        guard.destroyForcibly();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Could not end Redis " + pid, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Polls a condition of another process until it holds; false when the time is over. */
  static boolean await(Duration within, BooleanSupplier condition) {
    long end = System.nanoTime() + within.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        return false;
      }
      LockSupport.parkNanos(POLL.toNanos());
    }
    return true;
  }
}
