// SPDX-License-Identifier: Apache-2.0
package cupbear.load.report;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import org.HdrHistogram.Histogram;

/**
 * One run of {@code cupbear load}: everything a sceptic needs to believe it, or not. Values only;
 * times of things that happen are counted from the start of their scenario.
 */
public record LoadReport(About about, List<Scenario> scenarios) {
  public LoadReport {
    scenarios = List.copyOf(scenarios);
  }

  public boolean passed() {
    return scenarios.stream().allMatch(Scenario::passed);
  }

  /**
   * Where, when and with what it was measured.
   *
   * @param command that repeats it
   * @param target {@link #OWN_STACK}, or the API that was given
   */
  public record About(
      Instant began,
      String command,
      long seed,
      String target,
      String version,
      String commit,
      String java,
      String os,
      int cores,
      long memoryBytes,
      String redis) {
    /** Everything that was measured was started by the run itself, on this machine. */
    public static final String OWN_STACK = "own stack";
  }

  /**
   * One scenario.
   *
   * @param what it does, in a sentence
   * @param queue time from the intended start of each request to its grant, in microseconds;
   *     warm-up excluded
   */
  public record Scenario(
      String name,
      String what,
      Duration length,
      Counts counts,
      List<Threshold> thresholds,
      List<Promise> promises,
      Histogram queue,
      List<Slice> slices,
      List<Bands> bands,
      List<Mark> marks) {
    public Scenario {
      thresholds = List.copyOf(thresholds);
      promises = List.copyOf(promises);
      slices = List.copyOf(slices);
      bands = List.copyOf(bands);
      marks = List.copyOf(marks);
    }

    public boolean passed() {
      return thresholds.stream().allMatch(Threshold::met)
          && promises.stream().allMatch(Promise::kept);
    }
  }

  /**
   * What became of the arrivals.
   *
   * @param late sent later than the schedule said, by more than the generator is allowed
   * @param dropped never sent, because the generator could not keep up
   * @param refused answered with a problem: no capacity, queue full, store unavailable
   * @param unanswered asked, and heard nothing until the caller's patience was over
   * @param lost sessions that were told that their Machine is gone
   */
  public record Counts(
      long arrivals,
      long late,
      long dropped,
      long granted,
      long refused,
      long unanswered,
      long ended,
      long lost,
      int mostAtOnce) {}

  /** A bound that decides: {@code p95 ≤ 500 ms}, and what was seen. */
  public record Threshold(String rule, String seen, boolean met) {}

  /**
   * A promise that was checked from outside.
   *
   * @param checks how often it could have been broken
   * @param broken what was seen instead; empty when it was kept
   */
  public record Promise(String name, long checks, List<String> broken) {
    public Promise {
      broken = List.copyOf(broken);
    }

    public boolean kept() {
      return broken.isEmpty();
    }
  }

  /** Queue times of the requests that were meant to start within one slice of time. */
  public record Slice(
      Duration at, long granted, long refused, long p50us, long p95us, long p99us, long maxUs) {}

  /** How many Machines stood where, by region, as an operator saw it at one moment. */
  public record Bands(Duration at, SortedMap<String, Band> regions) {}

  /** One region at one moment. */
  public record Band(int warm, int assigned, int booting, int draining, int parked, int queue) {}

  /** Something that was done to the system, or undone. */
  public record Mark(Duration at, String what) {}
}
