// SPDX-License-Identifier: Apache-2.0
package cupbear.load.assign;

import cupbear.scheduler.cli.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cupbear bench assign}: what an assignment costs on this machine. */
@Command(
    name = "assign",
    description = "Measure assignments against what Redis and HTTP allow, on a Redis of its own.",
    sortOptions = false)
public final class AssignBenchCommand implements Callable<Integer> {
  @Mixin private Output output = new Output();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--rounds", paramLabel = "N", description = "of each kind; default: 5")
  private int rounds = 5;

  @Option(names = "--requests", paramLabel = "N", description = "per round; default: 8000")
  private int requests = 8_000;

  @Option(names = "--loops", paramLabel = "N", description = "event loops; default: 1")
  private int loops = 1;

  @Option(
      names = "--machines",
      paramLabel = "N",
      description = "in the large pool; 0 leaves out the comparison of pools; default: 100000")
  private int machines = 100_000;

  private static final int SMALL_POOL = 100;
  private static final int TURNS = 41;

  @Override
  public Integer call() throws IOException {
    if (rounds < 1 || requests < 256 || loops < 1 || machines < 0) {
      throw new ParameterException(
          spec.commandLine(), "rounds and loops must be at least 1, requests at least 256");
    }
    PrintWriter out = spec.commandLine().getOut();
    try (AssignBench bench = new AssignBench(loops)) {
      AssignResult result = bench.run(rounds, requests);
      if (machines > 0) result = result.with(bench.growth(SMALL_POOL, machines, TURNS));
      if (output.isJson()) Output.printJson(out, result);
      else print(out, result);
    }
    return 0;
  }

  private static void print(PrintWriter out, AssignResult result) {
    out.printf(
        "%d rounds of %d requests, by turns, medians; server, Redis and load share the cores%n",
        result.rounds(), result.requestsPerRound());
    out.printf(
        "%-28s %5s %10s %8s %8s %8s %8s%n",
        "", "conns", "per second", "p50 ms", "p95 ms", "p99 ms", "CPU µs");
    line(out, result.raw());
    line(out, result.constant());
    line(out, result.real50());
    line(out, result.real256());
    line(out, result.plain50());
    line(out, result.plain256());
    out.printf(
        Locale.ROOT,
        "at 256 the real path reaches %.2f of the lower limit and %.2f times the plain way,"
            + " at %.2f of its CPU%n",
        result.realToLimit(),
        result.realToPlain(),
        result.realToPlainCpu());
    AssignResult.Growth growth = result.growth();
    if (growth != null) {
      out.printf(
          Locale.ROOT,
          "a claim costs Redis %.1f µs in a pool of %d, %.1f µs in one of %d: %.2f times%n",
          growth.smallMicros(),
          growth.smallPool(),
          growth.largeMicros(),
          growth.largePool(),
          growth.ratio());
    }
    out.println(
        "closed loop: a request is sent when the one before is answered, so these latencies are"
            + " those of a full server and leave out callers that would have come meanwhile");
    out.flush();
  }

  private static void line(PrintWriter out, AssignResult.Line line) {
    if (line.p50() == 0) {
      out.printf(
          Locale.ROOT,
          "%-28s %5d %10.0f %26s %8.0f%n",
          line.what(),
          line.connections(),
          line.perSecond(),
          "",
          line.cpuMicros());
      return;
    }
    out.printf(
        Locale.ROOT,
        "%-28s %5d %10.0f %8.2f %8.2f %8.2f %8.0f%n",
        line.what(),
        line.connections(),
        line.perSecond(),
        line.p50(),
        line.p95(),
        line.p99(),
        line.cpuMicros());
  }
}
