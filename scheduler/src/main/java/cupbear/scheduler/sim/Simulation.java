// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Runs worlds: one with its story, or many at once, one thread per core. */
public final class Simulation {
  private Simulation() {}

  /**
   * How far a batch of runs has come.
   *
   * @param found what the run that has just ended brought to light
   */
  public record Progress(int done, int of, long events, int violations, List<Violation> found) {
    public Progress {
      found = List.copyOf(found);
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT, "%d/%d seeds, %,d events, %d violations", done, of, events, violations);
    }
  }

  /** Runs all; tells after each how far it has come, from any thread. */
  public static SimReport run(List<SimSettings> runs, Consumer<Progress> progress) {
    return SimReport.of(results(runs, Variant.NONE, progress));
  }

  /** One run with its story, line by line; the last line holds the hash over all of them. */
  public static SimReport replay(SimSettings settings, Consumer<String> story) {
    SimResult result = new SimWorld(settings, Variant.NONE, story).run();
    story.accept(
        "%d events, %d checks, trace %s"
            .formatted(result.events(), result.checks(), result.hash()));
    return SimReport.of(List.of(result));
  }

  static List<SimResult> results(
      List<SimSettings> runs, Variant variant, Consumer<Progress> progress) {
    AtomicInteger done = new AtomicInteger();
    AtomicLong events = new AtomicLong();
    AtomicInteger violations = new AtomicInteger();
    int cores = Runtime.getRuntime().availableProcessors();
    try (ExecutorService threads = Executors.newFixedThreadPool(cores)) {
      List<Future<SimResult>> pending = new ArrayList<>();
      for (SimSettings settings : runs) {
        pending.add(
            threads.submit(() -> {
              SimResult result = new SimWorld(settings, variant, null).run();
              long all = events.addAndGet(result.events());
              int broken = violations.addAndGet(result.violations().size());
              progress.accept(
                  new Progress(
                      done.incrementAndGet(), runs.size(), all, broken, result.violations()));
              return result;
            }));
      }
      List<SimResult> results = new ArrayList<>();
      for (Future<SimResult> each : pending) results.add(each.get());
      return results;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted; the runs so far are lost", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a run failed outside of its world", e.getCause());
    }
  }
}
