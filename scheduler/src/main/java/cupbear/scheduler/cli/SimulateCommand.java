// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli;

import cupbear.scheduler.sim.Demand;
import cupbear.scheduler.sim.SimReport;
import cupbear.scheduler.sim.SimSettings;
import cupbear.scheduler.sim.SimSettings.FaultLevel;
import cupbear.scheduler.sim.Simulation;
import cupbear.scheduler.telemetry.Logs;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code cupbear simulate}: the real scheduler in worlds made from seeds, with everything going
 * wrong that can; tells which promises were broken and how well callers were served.
 */
@Command(
    name = "simulate",
    description = "Run the scheduler in simulated worlds and watch its promises.",
    footer = {
      "",
      "Exit code 3 when a promise was broken. Each violation says how to see it again:",
      "  cupbear simulate --replay SEED …   prints the story of one run, one line per event."
    })
final class SimulateCommand implements Callable<Integer> {
  private static final long PROGRESS_EVERY_MS = 2_000;
  private static final double HOURS_LEAST = 0.5;

  /** Who leads what, which in these worlds changes every minute. */
  private static final String COMINGS_AND_GOINGS = "cupbear.scheduler.app.Seats";

  @Mixin private Output output = new Output();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "how many worlds (default ${DEFAULT-VALUE})")
  private int seeds = 100;

  @Option(
      names = "--from",
      paramLabel = "SEED",
      description = "the first seed (default ${DEFAULT-VALUE})")
  private long from = 1;

  @Option(
      names = "--hours",
      paramLabel = "H",
      description = "virtual hours of each world (default ${DEFAULT-VALUE})")
  private double hours = 1;

  @Option(
      names = "--faults",
      paramLabel = "LEVEL",
      description = "${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE})")
  private FaultLevel faults = FaultLevel.WILD;

  @Option(
      names = "--schedulers",
      paramLabel = "K",
      description = "scheduler processes in each world (default ${DEFAULT-VALUE})")
  private int schedulers = 2;

  @Option(
      names = "--demand",
      paramLabel = "NAME",
      description = "${COMPLETION-CANDIDATES} (default: another one with each seed)")
  private @Nullable Demand demand;

  @Option(
      names = "--replay",
      paramLabel = "SEED",
      description = "run this one seed and print its story")
  private @Nullable Long replay;

  @Override
  public Integer call() {
    if (seeds < 1) throw wrong("--seeds is %d; give at least 1".formatted(seeds));
    if (!(hours >= HOURS_LEAST && hours <= 1000)) {
      throw wrong("--hours is %s; give 0.5 to 1000".formatted(hours));
    }
    if (schedulers < 1 || schedulers > 9) {
      throw wrong("--schedulers is %d; give 1 to 9".formatted(schedulers));
    }
    Logs.troublesOnly(COMINGS_AND_GOINGS);
    PrintWriter out = spec.commandLine().getOut();
    SimReport report = replay == null ? runAll() : Simulation.replay(settings(replay), line(out));
    if (output.isJson()) Output.printJson(out, report);
    else print(out, report);
    return report.violations().isEmpty() ? ExitCode.OK : ExitCode.NOT_CONVERGED;
  }

  /** With JSON on standard output the story goes where it does not disturb. */
  private java.util.function.Consumer<String> line(PrintWriter out) {
    PrintWriter to = output.isJson() ? spec.commandLine().getErr() : out;
    return to::println;
  }

  private SimReport runAll() {
    List<SimSettings> runs = new ArrayList<>();
    for (int i = 0; i < seeds; i++) runs.add(settings(from + i));
    PrintWriter err = spec.commandLine().getErr();
    AtomicLong told = new AtomicLong(System.nanoTime());
    return Simulation.run(
        runs,
        progress -> {
          if (!progress.found().isEmpty()) {
            progress.found().forEach(err::println);
            err.flush();
          }
          long now = System.nanoTime();
          long before = told.get();
          boolean due = now - before > PROGRESS_EVERY_MS * 1_000_000;
          if (!due || !told.compareAndSet(before, now)) return;
          err.println(progress);
          err.flush();
        });
  }

  private SimSettings settings(long seed) {
    Demand shape = demand == null ? Demand.of(seed) : demand;
    Duration length = Duration.ofMinutes(Math.round(hours * 60));
    return new SimSettings(seed, length, faults, schedulers, shape);
  }

  private static void print(PrintWriter out, SimReport report) {
    out.printf(
        Locale.ROOT,
        "%d seeds, %.1f virtual hours, %,d events, %,d checks, %d violations%n",
        report.seeds(),
        report.hours(),
        report.events(),
        report.checks(),
        report.violations().size());
    out.printf(
        Locale.ROOT,
        "requests  %,d   served warm %.2f %%   served %,d   not served %s%n",
        report.requests(),
        report.servedWarm() * 100,
        report.served(),
        report.unserved());
    out.printf(
        Locale.ROOT,
        "queue     p50 %.0f ms   p95 %.0f ms   p99 %.0f ms%n",
        report.queueP50Ms(),
        report.queueP95Ms(),
        report.queueP99Ms());
    out.printf(
        Locale.ROOT,
        "machines  idle %.1f h   created %,d   destroyed %,d   sessions lost %,d%n",
        report.idleMachineHours(),
        report.creates(),
        report.destroys(),
        report.sessionsLost());
    out.printf(
        Locale.ROOT,
        "fly       %,d calls   %,d refused%n",
        report.flyCalls(),
        report.flyRefusals());
    report.violations().forEach(out::println);
    out.flush();
  }

  private ParameterException wrong(String why) {
    return new ParameterException(spec.commandLine(), why);
  }
}
