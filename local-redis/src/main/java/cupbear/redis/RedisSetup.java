// SPDX-License-Identifier: Apache-2.0
package cupbear.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * The processes that belong together (one server, or the several of a Sentinel or a Cluster), with
 * the temporary folder, the unpacked server and the password they share.
 */
final class RedisSetup implements AutoCloseable {

  private static final int PASSWORD_BYTES = 24;

  private final Path folder;
  private final Path binary;
  private final String password;
  private final List<RedisProcess> processes = new ArrayList<>();

  private RedisSetup(Path folder) {
    this.folder = folder;
    this.binary = RedisBinary.unpackInto(folder);
    byte[] secret = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(secret);
    this.password = HexFormat.of().formatHex(secret);
  }

  /** Makes a set-up and starts what {@code start} says; when that fails, nothing is left behind. */
  static RedisSetup start(Consumer<RedisSetup> start) {
    Path folder;
    try {
      folder = Files.createTempDirectory("cupbear-redis-");
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Could not create a temporary folder for Redis. Set java.io.tmpdir to a writable one.",
          e);
    }
    try {
      RedisSetup setup = new RedisSetup(folder);
      try {
        start.accept(setup);
      } catch (RuntimeException e) {
        setup.close();
        throw e;
      }
      return setup;
    } catch (RuntimeException e) {
      delete(folder);
      throw e;
    }
  }

  /** Starts one more process; returns when it answers. See {@link RedisProcess#start}. */
  RedisProcess add(String name, IntFunction<List<String>> settings, String... modes) {
    RedisProcess process = RedisProcess.start(this, name, settings, modes);
    processes.add(process);
    return process;
  }

  List<RedisProcess> processes() {
    return List.copyOf(processes);
  }

  /** Waits for a state that several processes must agree on; fails loudly when it never comes. */
  void awaitThat(String what, BooleanSupplier holds) {
    if (!RedisProcess.await(RedisProcess.READY_WITHIN, holds)) {
      throw new IllegalStateException(
          "Redis: gave up waiting after " + RedisProcess.READY_WITHIN + " that " + what + ".");
    }
  }

  Path folder() {
    return folder;
  }

  Path binary() {
    return binary;
  }

  String password() {
    return password;
  }

  /** Writes the configuration of one process into its own sub-folder; the file holds a password. */
  Path writeConfig(String process, List<String> lines) {
    try {
      Path own = Files.createDirectories(folder.resolve(process));
      return Files.write(own.resolve("redis.conf"), lines);
    } catch (IOException e) {
      throw new UncheckedIOException("Could not write the configuration of " + process, e);
    }
  }

  @Override
  public void close() {
    processes.forEach(RedisProcess::close);
    delete(folder);
  }

  /** Deletes everything; what a guard deleted first is no error. */
  private static void delete(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (NoSuchFileException | UncheckedIOException goneMeanwhile) {
      // The guards delete the same folder; whoever comes second finds less, which is the aim.
    } catch (IOException e) {
      throw new UncheckedIOException("Could not delete " + folder + ": delete it by hand.", e);
    }
  }
}
