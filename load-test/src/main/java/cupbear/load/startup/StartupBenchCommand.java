// SPDX-License-Identifier: Apache-2.0
package cupbear.load.startup;

import cupbear.load.stack.LocalStack;
import cupbear.load.stack.SchedulerProcess;
import cupbear.load.stack.StackPlan;
import cupbear.load.stack.StackPlan.Bounds;
import cupbear.scheduler.cli.ExitCode;
import cupbear.scheduler.cli.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cupbear bench startup}: a scheduler from its start to its first answer, and then idle. */
@Command(
    name = "startup",
    description = "Measure how soon a scheduler serves, and its CPU when nothing happens.",
    sortOptions = false)
public final class StartupBenchCommand implements Callable<Integer> {
  private static final Duration WARM_WITHIN = Duration.ofMinutes(4);

  /** A half, a third and the rest, as most pools look. */
  private static List<Bounds> regions(int machines) {
    int first = machines / 2;
    int second = machines / 3;
    int third = machines - first - second;
    return List.of(
        new Bounds("iad", first, first + 2),
        new Bounds("lhr", second, second + 2),
        new Bounds("nrt", third, third + 2));
  }

  @Mixin private Output output = new Output();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--rounds", paramLabel = "N", description = "starts; default: 5")
  private int rounds = 5;

  @Option(names = "--machines", paramLabel = "N", description = "that are warm; default: 60")
  private int machines = 60;

  @Option(names = "--idle", paramLabel = "SECONDS", description = "looked at; default: 30")
  private int idleSeconds = 30;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (rounds < 1 || machines < 3 || idleSeconds < 1) {
      throw new ParameterException(
          spec.commandLine(), "rounds and idle must be at least 1, machines at least 3");
    }
    StackPlan plan =
        StackPlan.DEMO
            .withReplicas(1)
            .withPool("viewers", pool -> pool.withRegions(regions(machines)))
            .withSpeed(10);
    try (LocalStack stack = LocalStack.start(plan)) {
      if (!stack.view().awaitWhole(WARM_WITHIN)) {
        throw new IOException("the pool of %d was not warm in time".formatted(machines));
      }
      double idle = idle(stack.schedulers().getFirst());
      List<Double> starts = starts(stack);
      show(starts, idle);
    }
    return ExitCode.OK;
  }

  /** CPU time over the time that passed: it does not depend on who else uses the machine. */
  private double idle(SchedulerProcess scheduler) throws InterruptedException {
    Duration before = cpu(scheduler);
    long began = System.nanoTime();
    TimeUnit.SECONDS.sleep(idleSeconds);
    double passed = (System.nanoTime() - began) / 1e9;
    return cpu(scheduler).minus(before).toNanos() / 1e9 / passed;
  }

  private static Duration cpu(SchedulerProcess scheduler) {
    return ProcessHandle.of(scheduler.pid())
        .flatMap(process -> process.info().totalCpuDuration())
        .orElseThrow(() -> new IllegalStateException("this system tells no CPU times"));
  }

  private List<Double> starts(LocalStack stack) throws IOException, InterruptedException {
    List<Double> seconds = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      SchedulerProcess running = stack.schedulers().getFirst();
      running.drain();
      running.awaitEnd();
      long began = System.nanoTime();
      stack.restart(running);
      seconds.add((System.nanoTime() - began) / 1e9);
    }
    return seconds.stream().sorted().toList();
  }

  private void show(List<Double> starts, double idle) {
    PrintWriter out = spec.commandLine().getOut();
    double median = starts.get(starts.size() / 2);
    if (output.isJson()) {
      Map<String, Object> words = new LinkedHashMap<>();
      words.put("machines", machines);
      words.put("start_to_ready_s", starts);
      words.put("start_to_ready_median_s", median);
      words.put("idle_share_of_a_core", idle);
      words.put("idle_seconds", idleSeconds);
      Output.printJson(out, words);
      return;
    }
    out.printf(
        Locale.ROOT,
        "start to ready: median %.2f s of %d (%.2f to %.2f)%n",
        median,
        starts.size(),
        starts.getFirst(),
        starts.getLast());
    out.printf(
        Locale.ROOT,
        "idle with %d warm Machines: %.1f %% of one core over %d s%n",
        machines,
        100 * idle,
        idleSeconds);
    out.flush();
  }
}
