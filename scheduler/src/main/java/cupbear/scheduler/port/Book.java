// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

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
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The leader's side of the store: where each Machine stands. Every method is one atomic step; every
 * write carries a mandate and fails with {@link StoreTrouble.Kind#FENCED} under an old one, or one
 * whose lease is over. After lost data, the book of a region is closed ({@link
 * StoreTrouble.Kind#RECOVERING}) until its leader has reported to {@link Recovery}.
 */
public interface Book {
  Future<Snapshot> snapshot(PoolName pool, Region region);

  Future<Moved> move(Mandate mandate, Move move);

  /**
   * A proving Machine is healthy: it goes to the first waiter that may have it, or on the shelf.
   *
   * @param terms for the waiter's session
   */
  Future<ProveResult> prove(Mandate mandate, Proof proof, Terms terms);

  /** Warm Machines that are still healthy: younger proofs. Others in the list are passed over. */
  Future<Void> vouch(Mandate mandate, List<Proof> proofs);

  /** The Machine of a live session is dead: condemned, and the session hears of it. */
  Future<LoseResult> lose(
      Mandate mandate, MachineId machine, SessionId session, Epoch epoch, Terms terms);

  /**
   * Ends what is overdue in the pool by the store's clock: grants nobody confirmed, leases nobody
   * renewed, sessions too long, waiters past their deadline, and Machines of unknown state whose
   * session did not show up. Gives back the sessions that ended; bounded, so call again while it
   * gives many. When nobody asked for as long as a gateway has to renew, the store was out of
   * reach: then no lease is judged before gateways had that time once more.
   */
  Future<List<SessionView>> expire(Mandate mandate, Terms terms);

  /**
   * An operator's wish. Cordoning takes effect in the same step: what is cordoned, or to be
   * drained, is not given out any more. What is no longer kept back and still warm goes to the
   * first waiter, or on the shelf.
   *
   * @param machine null for the whole region
   */
  Future<Void> mark(
      PoolName pool, Region region, @Nullable MachineId machine, Marks.Mark mark, boolean on);
}
