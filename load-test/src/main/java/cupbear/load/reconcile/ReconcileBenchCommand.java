// SPDX-License-Identifier: Apache-2.0
package cupbear.load.reconcile;

import cupbear.load.reconcile.ReconcileResult.Cost;
import cupbear.scheduler.cli.ExitCode;
import cupbear.scheduler.cli.Output;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cupbear bench reconcile}: how a pass of the control loop grows with the pool. */
@Command(
    name = "reconcile",
    description = "Measure reading Fly's list and planning, from small pools to large ones.",
    sortOptions = false)
public final class ReconcileBenchCommand implements Callable<Integer> {
  private static final int MOST = 500_000;

  @Mixin private Output output = new Output();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--rounds", paramLabel = "N", description = "at each size; default: 7")
  private int rounds = 7;

  @Option(
      names = "--machines",
      paramLabel = "N",
      split = ",",
      description = "sizes in rising order; default: 100,10000,100000")
  private List<Integer> sizes = List.of(100, 10_000, 100_000);

  @Override
  public Integer call() {
    check();
    PrintWriter out = spec.commandLine().getOut();
    ReconcileResult result = new ReconcileBench(sizes).run(rounds);
    if (output.isJson()) Output.printJson(out, result);
    else print(out, result);
    return ExitCode.OK;
  }

  private void check() {
    if (rounds < 1) throw wrong("--rounds is %d; give at least 1".formatted(rounds));
    int before = Fleet.IN_TROUBLE - 1;
    for (int size : sizes) {
      if (size <= before || size > MOST) {
        throw wrong(
            "--machines is %s; give sizes from %d to %d in rising order"
                .formatted(sizes, Fleet.IN_TROUBLE, MOST));
      }
      before = size;
    }
  }

  private ParameterException wrong(String why) {
    return new ParameterException(spec.commandLine(), why);
  }

  private static void print(PrintWriter out, ReconcileResult result) {
    out.printf(
        Locale.ROOT,
        "medians of %d rounds, sizes by turns; a heap of at most %.1f GiB%n",
        result.rounds(),
        result.maxHeapBytes() / (double) (1L << 30));
    out.printf(
        "%-10s %9s %9s %9s %9s %12s %9s %7s %9s%n",
        "", "Machines", "ms", "CPU ms", "MiB", "CPU µs each", "B each", "time ×", "memory ×");
    for (Cost cost : result.parse()) line(out, "read list", cost);
    for (Cost cost : result.plan()) line(out, "plan", cost);
    out.println(
        "time × and memory × compare what one Machine costs with that at the size before: 1.0 is"
            + " growth in proportion. CPU time leaves out who else uses the computer.");
    out.flush();
  }

  private static void line(PrintWriter out, String what, Cost cost) {
    out.printf(
        Locale.ROOT,
        "%-10s %9d %9.3f %9.3f %9.2f %12.3f %9.0f %7.2f %9.2f%n",
        what,
        cost.machines(),
        cost.millis(),
        cost.cpuMillis(),
        cost.allocatedBytes() / (double) (1 << 20),
        cost.cpuMicrosEach(),
        cost.bytesEach(),
        cost.timeGrowth(),
        cost.memoryGrowth());
  }
}
