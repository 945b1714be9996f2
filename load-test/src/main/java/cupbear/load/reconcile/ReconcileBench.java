// SPDX-License-Identifier: Apache-2.0
package cupbear.load.reconcile;

import com.sun.management.ThreadMXBean;
import cupbear.load.reconcile.ReconcileResult.Cost;
import cupbear.load.reconcile.ReconcileResult.Sample;
import cupbear.scheduler.adapter.fly.FlyList;
import cupbear.scheduler.core.Reconciler;
import cupbear.scheduler.model.Plan;
import cupbear.scheduler.model.Policy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.ToDoubleFunction;

/**
 * What reading Fly's list and planning cost at several sizes. Sizes take turns, so that whatever
 * else the computer does meets them alike; small ones are done many times in a turn, so that each
 * turn is long enough to be measured. One thread.
 */
final class ReconcileBench {
  /** In one turn at least so many Machines are gone through, whatever the size. */
  private static final int MACHINES_PER_TURN = 20_000;

  /** Turns before the first that counts, for the JIT compiler. */
  private static final int WARM_UP = 5;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final List<Subject> parse;
  private final List<Subject> plan;

  /**
   * Makes all lists and pools beforehand.
   *
   * @param sizes in rising order
   */
  ReconcileBench(List<Integer> sizes) {
    parse = sizes.stream().map(ReconcileBench::parsing).toList();
    plan = sizes.stream().map(ReconcileBench::planning).toList();
  }

  ReconcileResult run(int rounds) {
    for (int i = 0; i < WARM_UP; i++) turns();
    parse.forEach(Subject::forget);
    plan.forEach(Subject::forget);
    for (int i = 0; i < rounds; i++) turns();
    return new ReconcileResult(rounds, Runtime.getRuntime().maxMemory(), costs(parse), costs(plan));
  }

  private void turns() {
    parse.forEach(Subject::turn);
    plan.forEach(Subject::turn);
  }

  private static Subject parsing(int size) {
    byte[] body = ListBody.of(size);
    return new Subject(
        size,
        size,
        () -> {
          try {
            return FlyList.read(body, ListBody.MANAGED_BY).size();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private static Subject planning(int size) {
    Fleet fleet = Fleet.of(size);
    return new Subject(
        size,
        Fleet.IN_TROUBLE,
        () -> {
          Plan made = Reconciler.plan(fleet.seen(), fleet.desired(), Policy.DEFAULT, fleet.now());
          return made.actions().size();
        });
  }

  private static List<Cost> costs(List<Subject> subjects) {
    List<Cost> costs = new ArrayList<>();
    Cost before = null;
    for (Subject each : subjects) {
      before = Cost.of(each.size, each.median(), before);
      costs.add(before);
    }
    return List.copyOf(costs);
  }

  /** One thing that is measured at one size. */
  private static final class Subject {
    private final int size;
    private final int wanted;
    private final IntSupplier once;
    private final int times;
    private final List<Sample> samples = new ArrayList<>();

    /**
     * @param wanted what {@code once} has to answer, as proof that it did its work
     */
    Subject(int size, int wanted, IntSupplier once) {
      this.size = size;
      this.wanted = wanted;
      this.once = once;
      this.times = Math.ceilDiv(MACHINES_PER_TURN, size);
    }

    void turn() {
      long bytes = THREADS.getCurrentThreadAllocatedBytes();
      long cpu = THREADS.getCurrentThreadCpuTime();
      long began = System.nanoTime();
      for (int i = 0; i < times; i++) {
        int answer = once.getAsInt();
        if (answer != wanted) {
          throw new IllegalStateException(
              "at %d Machines it found %d, not %d".formatted(size, answer, wanted));
        }
      }
      samples.add(
          new Sample(
              each(System.nanoTime() - began),
              each(THREADS.getCurrentThreadCpuTime() - cpu),
              each(THREADS.getCurrentThreadAllocatedBytes() - bytes)));
    }

    private double each(long all) {
      return (double) all / times;
    }

    void forget() {
      samples.clear();
    }

    Sample median() {
      return new Sample(median(Sample::nanos), median(Sample::cpuNanos), median(Sample::bytes));
    }

    private double median(ToDoubleFunction<Sample> figure) {
      return samples.stream().mapToDouble(figure).sorted().toArray()[samples.size() / 2];
    }
  }
}
