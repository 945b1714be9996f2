// SPDX-License-Identifier: Apache-2.0
package cupbear.load.run;

import cupbear.load.report.LoadReport;
import cupbear.load.stack.OperatorView;
import cupbear.load.stack.OperatorView.RegionView;
import cupbear.load.stack.StackPlan;
import cupbear.load.stack.StackPlan.Bounds;
import cupbear.scheduler.cli.CupbearCommand;
import cupbear.scheduler.cli.ExitCode;
import cupbear.scheduler.cli.Output;
import cupbear.scheduler.config.Amounts;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cupbear load}: many users at once, while things break, and somebody who keeps count. */
@Command(
    name = "load",
    description = "Put load on a stack of its own, or on yours, and check every promise.",
    mixinStandardHelpOptions = true,
    versionProvider = CupbearCommand.Version.class,
    sortOptions = false,
    footer = {
      "",
      "Scenarios: steady, step, burst, storm, churn, hung-viewers, list-collapse, fly-429,",
      "fly-down, region-loss, bad-image, replica-kill, redis-wipe, redis-failover, soak.",
      "With --api only those that break nothing: steady, step, burst, storm, churn, soak.",
      "",
      "Exit code 3 when a promise was broken or a threshold missed."
    })
public final class LoadCommand implements Callable<Integer> {
  private static final String ALL = "all";

  @Mixin private Output output = new Output();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      split = ",",
      description = "one, several with commas, or all (default: steady)")
  private List<String> scenarios = List.of("steady");

  @Option(
      names = "--api",
      paramLabel = "URL",
      split = ",",
      description = "a scheduler of yours, or several with commas; without it, a stack of its own")
  private List<String> apis = List.of();

  @Option(
      names = "--token-file",
      paramLabel = "F",
      description = "holds the gateway token for --api")
  private @Nullable Path tokenFile;

  @Option(
      names = "--pool",
      paramLabel = "NAME",
      description = "to ask for (default: ${DEFAULT-VALUE})")
  private String pool = StackPlan.VIEWERS;

  @Option(
      names = "--sessions",
      paramLabel = "N",
      description = "users at once (default: ${DEFAULT-VALUE})")
  private int sessions = 50;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      description = "of steady; others take a share of it (default: ${DEFAULT-VALUE})")
  private String duration = "60s";

  @Option(
      names = "--stay",
      paramLabel = "TIME",
      description = "a user looks on for so long on average (default: ${DEFAULT-VALUE})")
  private String stay = "2s";

  @Option(names = "--seed", paramLabel = "S", description = "who comes when (default: 1)")
  private long seed = 1;

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description = "write a page to read, JSON and histograms there")
  private @Nullable Path folder;

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<Scenario> chosen = chosen();
    LoadRun.Wish wish =
        new LoadRun.Wish(count(), time("--duration", duration), time("--stay", stay), seed);
    Instant began = Instant.now();
    LoadReport report =
        apis.isEmpty() ? onOwnStack(chosen, wish, began) : onTheirs(chosen, wish, began);
    if (folder != null) {
      Path page = cupbear.load.report.ReportFolder.write(report, folder);
      say("the report is in " + page);
    }
    LoadText text = new LoadText(spec.commandLine().getOut());
    if (output.isJson()) text.json(report);
    else text.summary(report);
    return report.passed() ? ExitCode.OK : ExitCode.NOT_CONVERGED;
  }

  private LoadReport onOwnStack(List<Scenario> chosen, LoadRun.Wish wish, Instant began)
      throws IOException, InterruptedException {
    boolean failover = chosen.stream().anyMatch(each -> each.name().equals("redis-failover"));
    StackPlan plan =
        OwnStack.plan(sessions, failover ? StackPlan.Store.SENTINEL : StackPlan.Store.STANDALONE);
    say("starting a Fly simulator, Redis and %d schedulers …".formatted(plan.replicas()));
    say("filling a pool of %d …".formatted(warmMin(plan.regions())));
    try (OwnStack own = OwnStack.start(plan)) {
      LoadReport.About about = Facts.about(began, command(), wish, own.stack());
      return play(chosen, wish, own.target(), about);
    }
  }

  private LoadReport onTheirs(List<Scenario> chosen, LoadRun.Wish wish, Instant began)
      throws IOException, InterruptedException {
    String token = token();
    Vertx vertx = Vertx.vertx();
    try (Gateways gateways = new Gateways(vertx, apis, token)) {
      OperatorView view = new OperatorView(apis, token);
      List<RegionView> seen =
          view.regions()
              .orElseThrow(() ->
                  new IOException(
                      "%s: no answer to GET /v1/pools. Is it the API, and knows the token in %s?"
                          .formatted(apis, tokenFile)));
      List<Bounds> regions =
          seen.stream()
              .filter(each -> each.pool().equals(pool))
              .map(each -> new Bounds(each.region(), each.warmMin(), each.warmMax()))
              .toList();
      if (regions.isEmpty()) {
        throw new IOException("there is no pool '%s' at %s".formatted(pool, apis));
      }
      Target target = new Target(vertx, gateways, view, pool, regions, true, null);
      return play(chosen, wish, target, Facts.about(began, command(), wish, apis));
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().join();
    }
  }

  private LoadReport play(
      List<Scenario> chosen, LoadRun.Wish wish, Target target, LoadReport.About about)
      throws IOException, InterruptedException {
    LoadText progress = new LoadText(spec.commandLine().getErr());
    LoadRun run = new LoadRun(wish, target, progress);
    run.warmUp();
    List<LoadReport.Scenario> played = new ArrayList<>();
    for (Scenario each : chosen) {
      LoadReport.Scenario done = run.play(each);
      progress.done(done);
      played.add(done);
    }
    return new LoadReport(about, played);
  }

  // ---- what was asked for

  private List<Scenario> chosen() {
    if (scenarios.equals(List.of(ALL))) {
      return Scenarios.ALL.stream()
          .filter(each -> apis.isEmpty() || !each.needsOwnStack())
          .toList();
    }
    List<Scenario> chosen = new ArrayList<>();
    for (String name : scenarios) {
      Scenario found =
          Scenarios.named(name)
              .orElseThrow(() ->
                  wrong(
                      "there is no scenario '%s'; there are all, %s"
                          .formatted(name, String.join(", ", Scenarios.names()))));
      if (found.needsOwnStack() && !apis.isEmpty()) {
        throw wrong(
            "%s breaks things and cannot be played against --api; leave that away".formatted(name));
      }
      chosen.add(found);
    }
    return chosen;
  }

  private int count() {
    if (sessions < 1 || sessions > 10_000) {
      throw wrong("--sessions is %d; give 1 to 10000".formatted(sessions));
    }
    return sessions;
  }

  private Duration time(String option, String text) {
    return Amounts.duration(text)
        .filter(Duration::isPositive)
        .orElseThrow(
            () -> wrong("%s is '%s'; give a time such as 60s or 5m".formatted(option, text)));
  }

  private String token() throws IOException {
    if (tokenFile == null) {
      throw wrong("--api needs --token-file with a gateway token (cupbear token create)");
    }
    String text = Files.readString(tokenFile).strip();
    if (text.isEmpty()) throw wrong("the token file %s is empty".formatted(tokenFile));
    return text;
  }

  /** Repeats this run. */
  private String command() {
    StringBuilder text = new StringBuilder("./cupbear load");
    text.append(" --scenario ").append(String.join(",", scenarios));
    if (!apis.isEmpty()) text.append(" --api ").append(String.join(",", apis));
    if (!pool.equals(StackPlan.VIEWERS)) text.append(" --pool ").append(pool);
    return text.append(
            String.format(
                Locale.ROOT,
                " --sessions %d --duration %s --stay %s --seed %d",
                sessions,
                duration,
                stay,
                seed))
        .toString();
  }

  private static int warmMin(List<Bounds> regions) {
    return regions.stream().mapToInt(Bounds::warmMin).sum();
  }

  private void say(String what) {
    spec.commandLine().getErr().println("cupbear load: " + what);
    spec.commandLine().getErr().flush();
  }

  private ParameterException wrong(String why) {
    return new ParameterException(spec.commandLine(), why);
  }
}
