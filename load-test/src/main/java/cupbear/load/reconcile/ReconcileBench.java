// SPDX-License-Identifier: Apache-2.0
package cupbear.load.reconcile;

import com.sun.management.ThreadMXBean;
import cupbear.load.reconcile.ReconcileResult.Cost;
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

/**
 * What reading Fly's list and planning cost at several sizes. Sizes take turns, so that whatever
 * else the computer does meets them alike; small ones are done many times in a turn, so that each
 * turn is long enough to be measured. One thread; garbage collection is part of the times.
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
    for (Subject each : subjects) {
      double nanos = median(each.nanos);
      double bytes = median(each.bytes);
      costs.add(
          costs.isEmpty()
              ? Cost.first(each.size, nanos, bytes)
              : costs.getLast().next(each.size, nanos, bytes));
    }
    return List.copyOf(costs);
  }

  private static double median(List<Double> samples) {
    return samples.stream().sorted().toList().get(samples.size() / 2);
  }

  /** One thing that is measured at one size. */
  private static final class Subject {
    private final int size;
    private final int wanted;
    private final IntSupplier once;
    private final int times;
    private final List<Double> nanos = new ArrayList<>();
    private final List<Double> bytes = new ArrayList<>();

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
      long bytesBefore = THREADS.getCurrentThreadAllocatedBytes();
      long began = System.nanoTime();
      for (int i = 0; i < times; i++) {
        int answer = once.getAsInt();
        if (answer != wanted) {
          throw new IllegalStateException(
              "at %d Machines it found %d, not %d".formatted(size, answer, wanted));
        }
      }
      nanos.add((double) (System.nanoTime() - began) / times);
      bytes.add((double) (THREADS.getCurrentThreadAllocatedBytes() - bytesBefore) / times);
    }

    void forget() {
      nanos.clear();
      bytes.clear();
    }
  }
}
