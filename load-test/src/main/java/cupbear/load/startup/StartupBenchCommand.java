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
import java.nio.file.Path;
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
      Starts starts = starts(stack);
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

  /**
   * Seconds, sorted.
   *
   * @param scheduler from the start of the process until it is ready
   * @param bare a JVM that says its version and ends: what no Java program can be faster than
   */
  private record Starts(List<Double> scheduler, List<Double> bare) {
    double ratio() {
      return median(scheduler) / median(bare);
    }
  }

  /** By turns, so that whatever else the computer does meets both alike. */
  private Starts starts(LocalStack stack) throws IOException, InterruptedException {
    List<Double> seconds = new ArrayList<>();
    List<Double> bare = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      bare.add(bareStart());
      SchedulerProcess running = stack.schedulers().getFirst();
      running.drain();
      running.awaitEnd();
      long began = System.nanoTime();
      stack.restart(running);
      seconds.add((System.nanoTime() - began) / 1e9);
    }
    return new Starts(seconds.stream().sorted().toList(), bare.stream().sorted().toList());
  }

  private static double bareStart() throws IOException, InterruptedException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    long began = System.nanoTime();
    Process process =
        new ProcessBuilder(java.toString(), "-version")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    process.waitFor();
    return (System.nanoTime() - began) / 1e9;
  }

  private static double median(List<Double> sorted) {
    return sorted.get(sorted.size() / 2);
  }

  private void show(Starts starts, double idle) {
    PrintWriter out = spec.commandLine().getOut();
    List<Double> seconds = starts.scheduler();
    double median = median(seconds);
    if (output.isJson()) {
      Map<String, Object> words = new LinkedHashMap<>();
      words.put("machines", machines);
      words.put("start_to_ready_s", seconds);
      words.put("start_to_ready_median_s", median);
      words.put("bare_jvm_median_s", median(starts.bare()));
      words.put("start_to_bare_jvm", starts.ratio());
      words.put("idle_share_of_a_core", idle);
      words.put("idle_seconds", idleSeconds);
      Output.printJson(out, words);
      return;
    }
    out.printf(
        Locale.ROOT,
        "start to ready: median %.2f s of %d (%.2f to %.2f)%n",
        median,
        seconds.size(),
        seconds.getFirst(),
        seconds.getLast());
    out.printf(
        Locale.ROOT,
        "as long as %.1f starts of a JVM that only says its version (median %.3f s)%n",
        starts.ratio(),
        median(starts.bare()));
    out.printf(
        Locale.ROOT,
        "idle with %d warm Machines: %.1f %% of one core over %d s%n",
        machines,
        100 * idle,
        idleSeconds);
    out.flush();
  }
}
