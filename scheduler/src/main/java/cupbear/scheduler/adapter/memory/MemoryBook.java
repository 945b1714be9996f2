// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.LoseResult;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Marks;
import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.Moved;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Proof;
import cupbear.scheduler.model.ProveResult;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionView;
import cupbear.scheduler.model.Snapshot;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.port.Book;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@link Book} on a {@link MemoryStore}. */
final class MemoryBook implements Book {
  private final MemoryStore store;
  private final Belief belief;

  MemoryBook(MemoryStore store, Belief belief) {
    this.store = store;
    this.belief = belief;
  }

  /** A write under a mandate, once the region's book is complete. */
  private <T> Future<T> step(Mandate mandate, Function<Step, T> work) {
    return store.step(
        mandate.pool(),
        step -> {
          belief.requireMandate(step, mandate);
          belief.requireRegion(step, mandate.region());
          return work.apply(step);
        });
  }

  @Override
  public Future<Snapshot> snapshot(PoolName pool, Region region) {
    return store.step(
        pool,
        step -> {
          belief.requireRegion(step, region);
          return snapshot(step, region);
        });
  }

  private static Snapshot snapshot(Step step, Region region) {
    PoolState pool = step.pool;
    return new Snapshot(
        step.now,
        pool.machines(region).stream().map(MachineRow::booked).toList(),
        pool.figures.arrivals(region),
        pool.queue.waiting(region),
        pool.figures.waits(region),
        pool.marks.view(region));
  }

  @Override
  public Future<Moved> move(Mandate mandate, Move move) {
    return step(mandate, step -> new Moving(step).move(mandate, move));
  }

  @Override
  public Future<ProveResult> prove(Mandate mandate, Proof proof, Terms terms) {
    return step(mandate, step -> new Trusting(step).prove(mandate, proof, terms));
  }

  @Override
  public Future<Void> vouch(Mandate mandate, List<Proof> proofs) {
    return step(
            mandate,
            step -> {
              new Trusting(step).vouch(mandate, proofs);
              return true;
            })
        .mapEmpty();
  }

  @Override
  public Future<LoseResult> lose(
      Mandate mandate, MachineId machine, SessionId session, Epoch epoch, Terms terms) {
    return step(
        mandate, step -> new Losing(step).lose(step.pool.machine(machine), session, epoch, terms));
  }

  @Override
  public Future<List<SessionView>> expire(Mandate mandate, Terms terms) {
    return store.step(
        mandate.pool(),
        step -> {
          belief.requireMandate(step, mandate);
          return new Expiring(step).expire(terms);
        });
  }

  @Override
  public Future<Void> mark(
      PoolName pool, Region region, @Nullable MachineId machine, Marks.Mark mark, boolean on) {
    return store
        .step(
            pool,
            step -> {
              belief.require(step);
              new Marking(step).mark(region, machine, mark, on);
              return true;
            })
        .mapEmpty();
  }
}
