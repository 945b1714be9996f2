// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli;

import cupbear.probe.bench.ProbeBench;
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

/** {@code cupbear bench probe}: what probes cost on this machine. */
@Command(name = "probe", description = "Measure probes against bare TCP connects.")
final class ProbeBenchCommand implements Callable<Integer> {
  @Mixin private Output output = new Output();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--rounds", paramLabel = "N", description = "of each kind; default: 9")
  private int rounds = 9;

  @Option(names = "--per-round", paramLabel = "N", description = "default: 500")
  private int perRound = 500;

  @Option(names = "--in-flight", paramLabel = "N", description = "at once; default: 32")
  private int inFlight = 32;

  @Override
  public Integer call() throws IOException {
    ProbeLogging.quiet();
    if (rounds < 1 || perRound < 1 || inFlight < 1 || inFlight > 512) {
      throw new ParameterException(
          spec.commandLine(), "rounds and probes must be at least 1, in flight at most 512");
    }
    PrintWriter out = spec.commandLine().getOut();
    try (ProbeBench bench = new ProbeBench()) {
      ProbeBench.Result result = bench.run(rounds, perRound, inFlight);
      if (output.isJson()) Output.printJson(out, result);
      else print(out, result);
    }
    return ExitCode.OK;
  }

  private static void print(PrintWriter out, ProbeBench.Result result) {
    out.printf(
        "%d rounds of %d, %d at once, one probing thread; middle rounds%n",
        result.rounds(), result.perRound(), result.inFlight());
    out.printf("%-12s %10s %12s %16s%n", "", "per second", "CPU µs each", "allocated bytes");
    line(out, "connect", result.connect());
    line(out, "guacd probe", result.guacd());
    line(out, "RDP probe", result.rdp());
    out.printf(
        Locale.ROOT,
        "a guacd probe takes as long as %.1f bare connects, an RDP probe as %.1f%n",
        result.guacdToConnect(),
        result.rdpToConnect());
    out.printf("an RDP probe holds %d bytes of heap while it waits%n", result.heldBytes());
    out.printf(
        "one core's CPU time is enough for %d warm Machines (guacd every 5 s, RDP every 15 s)%n",
        result.machinesPerCore());
    out.flush();
  }

  private static void line(PrintWriter out, String name, ProbeBench.Cost cost) {
    out.printf(
        Locale.ROOT,
        "%-12s %10.0f %12.0f %16d%n",
        name,
        cost.perSecond(),
        cost.cpuMicros(),
        cost.allocatedBytes());
  }
}
