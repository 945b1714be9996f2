// SPDX-License-Identifier: Apache-2.0
package cupbear.load.stack;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One {@code cupbear serve} in a process of its own, which can therefore be killed. It drains when
 * this JVM ends, whatever ends it.
 */
public final class SchedulerProcess {
  private static final long READY_WITHIN_S = 60;
  private static final long ENDED_WITHIN_S = 40;
  private static final long LOOK_EVERY_MS = 20;

  private final int number;
  private final Process process;
  private final Path log;
  private final JsonObject ready;

  private SchedulerProcess(int number, Process process, Path log, JsonObject ready) {
    this.number = number;
    this.process = process;
    this.log = log;
    this.ready = ready;
  }

  /** A process that was started and may not serve yet. */
  record Starting(int number, Process process, Path log, Path readyFile) {
    /** It has led nothing and owes nobody anything. */
    void kill() throws InterruptedException {
      process.destroyForcibly().waitFor();
    }

    /** Returns when it serves; fails with the end of its log when it ended instead. */
    SchedulerProcess await() throws IOException, InterruptedException {
      long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_WITHIN_S);
      while (!Files.exists(readyFile)) {
        boolean ended = process.waitFor(LOOK_EVERY_MS, TimeUnit.MILLISECONDS);
        if (ended || System.nanoTime() - until > 0) {
          process.destroyForcibly();
          throw new IOException(
              "scheduler %d %s. The end of its log:%n%s"
                  .formatted(number, ended ? "ended" : "is not ready in time", tail(log)));
        }
      }
      try {
        JsonObject words = new JsonObject(Files.readString(readyFile));
        return new SchedulerProcess(number, process, log, words);
      } catch (DecodeException e) {
        throw new IOException("scheduler %d wrote no JSON to %s".formatted(number, readyFile), e);
      }
    }
  }

  /**
   * Starts it in a folder that has its configuration.
   *
   * @param environment secrets and what differs between the replicas
   * @param overlay files before all others on its class path; null for none
   */
  static Starting start(
      int number, Path folder, Map<String, String> environment, @Nullable Path overlay)
      throws IOException {
    Path readyFile = folder.resolve("scheduler-%d.json".formatted(number));
    Path log = folder.resolve("scheduler-%d.log".formatted(number));
    Files.deleteIfExists(readyFile);
    List<String> command = new ArrayList<>(List.of(java()));
    command.addAll(JVM);
    command.addAll(
        List.of(
            "-cp",
            (overlay == null ? "" : overlay + File.pathSeparator)
                + System.getProperty("java.class.path"),
            "cupbear.scheduler.Main",
            "serve",
            "--config",
            folder.resolve("cupbear.yaml").toString(),
            "--ready-file",
            readyFile.toString(),
            "--ends-with",
            Long.toString(ProcessHandle.current().pid())));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    // Variables of whoever runs this must not reach into a demonstration.
    builder.environment().keySet().removeIf(name -> name.startsWith("CUPBEAR_"));
    builder.environment().putAll(environment);
    return new Starting(number, builder.start(), log, readyFile);
  }

  /**
   * Small, and quick to start: the heap is ten times what a few hundred sessions need, and the
   * second compiler only pays in a process that runs for long. It takes half of the time to ready.
   */
  private static final List<String> JVM =
      List.of(
          "-Xmx256m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "--enable-native-access=ALL-UNNAMED");

  private static String java() {
    return ProcessHandle.current()
        .info()
        .command()
        .orElse(Path.of(System.getProperty("java.home"), "bin", "java").toString());
  }

  public int number() {
    return number;
  }

  public String api() {
    return ready.getString("api");
  }

  public String ops() {
    return ready.getString("ops");
  }

  public String replica() {
    return ready.getString("replica");
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  public Path log() {
    return log;
  }

  /** SIGKILL: no hand-over, no goodbye. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** SIGTERM. */
  public void drain() {
    process.destroy();
  }

  /** SIGHUP: reads its configuration again. */
  public void reload() throws IOException, InterruptedException {
    signal("HUP");
  }

  /** SIGSTOP: stands still, with all its connections open. */
  public void pause() throws IOException, InterruptedException {
    signal("STOP");
  }

  /** SIGCONT. */
  public void resume() throws IOException, InterruptedException {
    signal("CONT");
  }

  // The JDK knows how to end a process and nothing else.
  private void signal(String name) throws IOException, InterruptedException {
    int code =
        new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
    if (code != 0)
      throw new IOException("scheduler %d is not there for SIG%s".formatted(number, name));
  }

  /** Its exit code after SIGTERM; killed when it takes too long. */
  public int awaitEnd() throws InterruptedException {
    if (!process.waitFor(ENDED_WITHIN_S, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
    return process.exitValue();
  }

  private static String tail(Path log) throws IOException {
    try (Stream<String> lines = Files.lines(log)) {
      List<String> all = lines.toList();
      return String.join("\n", all.subList(Math.max(0, all.size() - 20), all.size()));
    }
  }
}
