// SPDX-License-Identifier: Apache-2.0
package cupbear.load.dev;

import cupbear.load.stack.LocalStack;
import cupbear.load.stack.SchedulerProcess;
import cupbear.load.stack.StackPlan;
import cupbear.scheduler.cli.CupbearCommand;
import cupbear.scheduler.cli.ExitCode;
import cupbear.scheduler.telemetry.Logs;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cupbear dev}: everything on this computer, until Ctrl-C. */
@Command(
    name = "dev",
    description = "Run everything here: Fly simulator, viewers, Redis, schedulers, a demo pool.",
    mixinStandardHelpOptions = true,
    versionProvider = CupbearCommand.Version.class,
    sortOptions = false)
public final class DevCommand implements Callable<Integer> {
  private static final Duration WARM_WITHIN = Duration.ofMinutes(2);
  private static final Duration DRAW_EVERY = Duration.ofSeconds(1);
  private static final Duration TELL_EVERY = Duration.ofSeconds(10);
  private static final long CLOSE_WITHIN_S = 60;

  /** Whether demo viewers come and go. */
  enum Traffic {
    ON,
    OFF
  }

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "8080",
      description =
          "the first scheduler's API, others on the ports behind it; 0 for any (${DEFAULT-VALUE})")
  private int port;

  @Option(
      names = "--ops-port",
      paramLabel = "N",
      defaultValue = "9090",
      description = "the same for health and metrics (${DEFAULT-VALUE})")
  private int opsPort;

  @Option(
      names = "--replicas",
      paramLabel = "K",
      defaultValue = "2",
      description = "schedulers, each a process of its own (${DEFAULT-VALUE})")
  private int replicas;

  @Option(
      names = "--speed",
      paramLabel = "X",
      defaultValue = "4",
      description = "how much faster than Fly the simulator boots (${DEFAULT-VALUE})")
  private double speed;

  @Option(
      names = "--ready-file",
      paramLabel = "F",
      description = "gets JSON with addresses, tokens, pids and logs once the pool is warm")
  private @Nullable Path readyFile;

  @Option(
      names = "--traffic",
      paramLabel = "on|off",
      defaultValue = "on",
      description = "demo viewers that come and go (${DEFAULT-VALUE})")
  private Traffic traffic = Traffic.ON;

  @Option(
      names = "--selftest",
      description = "break one thing after another, see it heal, and exit 0 or 1")
  private boolean selftest;

  @Spec private CommandSpec spec = CommandSpec.create();

  private final CountDownLatch end = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);

  /** Who starts, warms up or tests, and would not look at {@link #end} before long. */
  private @Nullable Thread busy;

  @Override
  public Integer call() throws Exception {
    long began = System.nanoTime();
    Thread onSignal = new Thread(this::endAndAwait, "dev-end");
    Runtime.getRuntime().addShutdownHook(onSignal);
    say("cupbear dev: starting a Fly simulator, Redis and %d schedulers …".formatted(replicas));
    busy(Thread.currentThread());
    try (LocalStack stack = LocalStack.start(plan())) {
      return selftest ? test(stack) : show(stack, began);
    } catch (InterruptedException ended) {
      if (end.getCount() > 0) throw ended;
      return ExitCode.FAILED;
    } finally {
      closed.countDown();
    }
  }

  private StackPlan plan() {
    StackPlan plan =
        StackPlan.DEMO.withReplicas(replicas).withSpeed(speed).withPace(Math.max(1, speed));
    return selftest ? plan : plan.withPorts(port, opsPort);
  }

  private int test(LocalStack stack) throws IOException, InterruptedException {
    boolean good;
    try {
      good = new SelfTest(stack, spec.commandLine().getOut()).run();
    } finally {
      busy(null);
    }
    say(good ? "all seen" : "not all of it was seen");
    return good ? ExitCode.OK : ExitCode.FAILED;
  }

  private int show(LocalStack stack, long began) throws IOException, InterruptedException {
    boolean warm;
    try {
      warm = warm(stack);
    } finally {
      busy(null);
    }
    if (!warm) {
      say("the pool did not get warm within %s; see %s".formatted(WARM_WITHIN, logs(stack)));
      return ExitCode.FAILED;
    }
    double took = (System.nanoTime() - began) / 1e9;
    say(String.format(Locale.ROOT, "The pool is warm after %.1f s.", took));
    greet(stack);
    if (readyFile != null) write(stack, readyFile);
    if (traffic == Traffic.OFF) {
      watch(stack, null);
      return ExitCode.OK;
    }
    try (DemoTraffic viewers = new DemoTraffic(stack)) {
      viewers.start();
      watch(stack, viewers);
    }
    return ExitCode.OK;
  }

  private boolean warm(LocalStack stack) throws InterruptedException {
    long until = System.nanoTime() + WARM_WITHIN.toNanos();
    String told = "";
    while (System.nanoTime() - until < 0) {
      if (stack.view().awaitWhole(DRAW_EVERY)) return true;
      String now = stack.view().regions().map(StatusTable::line).orElse("schedulers are starting");
      if (!now.equals(told)) say("  " + now);
      told = now;
    }
    return false;
  }

  private static String logs(LocalStack stack) {
    return String.join(", ", stack.schedulers().stream().map(each -> "" + each.log()).toList());
  }

  private void greet(LocalStack stack) {
    SchedulerProcess first = stack.schedulers().getFirst();
    say("");
    for (SchedulerProcess each : stack.schedulers()) {
      say(
          "  scheduler %d   %s   metrics %s/metrics"
              .formatted(each.number(), each.api(), each.ops()));
    }
    say("  API docs      %s/docs".formatted(first.api()));
    say("  Fly simulator %s   faults %s/sim".formatted(stack.fly().url(), stack.fly().url()));
    say("");
    say("Try a session:");
    say("  curl -s -X POST %s/v1/sessions \\".formatted(first.api()));
    say("    -H 'Authorization: Bearer %s' \\".formatted(stack.gatewayToken()));
    say("    -H 'Content-Type: application/json' -H 'Idempotency-Key: try-1' \\");
    say("    -d '{\"pool\":\"viewers\",\"region\":\"iad\"}'");
    say("Look around:");
    // All of them: each knows the plans of the regions that it leads.
    String all = String.join(",", stack.schedulers().stream().map(SchedulerProcess::api).toList());
    say("  export CUPBEAR_API=%s CUPBEAR_TOKEN=%s".formatted(all, stack.operatorToken()));
    say("  ./cupbear status");
    say("Ctrl-C ends all of it.");
    say("");
  }

  private static void write(LocalStack stack, Path file) throws IOException {
    SchedulerProcess first = stack.schedulers().getFirst();
    JsonArray pids = new JsonArray();
    JsonArray schedulers = new JsonArray();
    for (SchedulerProcess each : stack.schedulers()) {
      pids.add(each.pid());
      schedulers.add(
          new JsonObject()
              .put("api", each.api())
              .put("ops", each.ops())
              .put("pid", each.pid())
              .put("log", each.log().toString()));
    }
    JsonObject words =
        new JsonObject()
            .put("api", first.api())
            .put("ops", first.ops())
            .put("fly", stack.fly().url())
            .put("redis", stack.redisUrl())
            .put("gateway_token", stack.gatewayToken())
            .put("operator_token", stack.operatorToken())
            .put("pids", pids)
            .put("schedulers", schedulers);
    // Whole or not at all: whoever waits for the file must not read half of it.
    Path partial = file.resolveSibling(file.getFileName() + ".partial");
    Files.writeString(partial, words.encodePrettily() + "\n");
    Files.move(partial, file, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Draws the pools until the end comes. */
  private void watch(LocalStack stack, @Nullable DemoTraffic viewers) throws InterruptedException {
    boolean terminal = Logs.isTerminal();
    Duration every = terminal ? DRAW_EVERY : TELL_EVERY;
    int drawn = 0;
    while (!end.await(every.toMillis(), TimeUnit.MILLISECONDS)) {
      Optional<List<cupbear.load.stack.OperatorView.RegionView>> seen = stack.view().regions();
      String demo =
          viewers == null
              ? ""
              : "%d viewers served, %d refused".formatted(viewers.served(), viewers.refused());
      if (terminal) {
        String table = seen.map(StatusTable::table).orElse("nobody answers\n") + demo;
        // Up over what was drawn before, and clear from there.
        if (drawn > 0) spec.commandLine().getOut().printf("\u001b[%dA\u001b[J", drawn);
        say(table);
        drawn = (int) table.lines().count();
      } else {
        say(
            seen.map(StatusTable::line).orElse("nobody answers")
                + (demo.isEmpty() ? "" : " · " + demo));
      }
    }
  }

  /** Ends the command as Ctrl-C would. */
  synchronized void end() {
    end.countDown();
    if (busy != null) busy.interrupt();
  }

  /** Nobody is interrupted who closes: that has to come to its end. */
  private synchronized void busy(@Nullable Thread who) {
    busy = who;
    if (who == null && Thread.interrupted()) end.countDown();
  }

  // The JVM dies when its shutdown hooks are done: this one stays until all is closed.
  private void endAndAwait() {
    if (closed.getCount() > 0) say("ending …");
    end();
    try {
      if (!closed.await(CLOSE_WITHIN_S, TimeUnit.SECONDS)) {
        spec.commandLine().getErr().println("dev did not close in time; it ends all the same");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void say(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(line);
    out.flush();
  }
}
