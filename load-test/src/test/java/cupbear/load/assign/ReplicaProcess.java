// SPDX-License-Identifier: Apache-2.0
package cupbear.load.assign;

import cupbear.scheduler.adapter.redis.RedisPlace;
import cupbear.scheduler.adapter.redis.RedisStore;
import cupbear.scheduler.model.ReplicaId;
import cupbear.scheduler.security.KeyRing;
import cupbear.scheduler.security.Secret;
import cupbear.scheduler.security.TokenFile;
import cupbear.scheduler.telemetry.Logs;
import cupbear.scheduler.telemetry.Telemetry;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * One scheduler process of the torture. It prints its port when it serves, and ends with its
 * parent. A new process is a new replica: it remembers nothing of the one before.
 */
final class ReplicaProcess {
  private final Process process;
  private final int port;

  private ReplicaProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts one and returns when it serves; null port 0 when it died before that. */
  static ReplicaProcess start(URI redis, Path tokens, Secret key) {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx192m",
            "-cp",
            System.getProperty("java.class.path"),
            ReplicaProcess.class.getName(),
            tokens.toString());
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectError(
                  ProcessBuilder.Redirect.appendTo(
                      new File(tokens.resolveSibling("replicas.log").toString())))
              .start();
      // By its standard input, since others can read a command line.
      process
          .outputWriter(StandardCharsets.UTF_8)
          .append(redis + "\n" + key.reveal() + "\n")
          .flush();
      BufferedReader says = process.inputReader(StandardCharsets.UTF_8);
      for (String line = says.readLine(); line != null; line = says.readLine()) {
        if (!line.startsWith("port ")) continue;
        Thread.ofVirtual().start(() -> says.lines().forEach(any -> {}));
        return new ReplicaProcess(process, Integer.parseInt(line.substring(5)));
      }
      throw new IllegalStateException("a replica ended with " + process.waitFor());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  int port() {
    return port;
  }

  /** SIGKILL: no goodbye, no drain, answers cut off in the middle. */
  void kill() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The process itself. */
  public static void main(String[] args) {
    // One that cannot start must end, or whoever started it would wait for its port.
    try {
      serve(Path.of(args[0]));
      Runtime.getRuntime().halt(0);
    } catch (IOException | RuntimeException e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  private static void serve(Path tokens) throws IOException {
    BufferedReader in =
        new BufferedReader(new java.io.InputStreamReader(System.in, StandardCharsets.UTF_8));
    String url = in.readLine();
    Secret key = Secret.of(in.readLine());
    Logs.troublesOnly("cupbear.chronicle");
    Telemetry telemetry = Telemetry.start(new Telemetry.Build("torture", "none", "none"), Map.of());
    RedisStore store =
        new RedisStore(RedisPlace.of(url), Torture.REDIS, Torture.RULES, telemetry.meters());
    Replica.House house =
        new Replica.House(Torture.POOL, Torture.TERMS, KeyRing.of(key), new TokenFile(tokens), 1);
    Replica replica =
        Waits.get(
            Replica.start(telemetry.vertx().build(), house, store, telemetry, claims -> claims));
    ReplicaId self = new ReplicaId("r-" + UUID.randomUUID().toString().substring(0, 8));
    Thread.ofPlatform().daemon().start(new Keeper(self, store, replica.memory()));
    System.out.println("port " + replica.port());
    System.out.flush();
    while (in.readLine() != null) {
      // Nothing more is said; the end of it is the end of the parent.
    }
  }
}
