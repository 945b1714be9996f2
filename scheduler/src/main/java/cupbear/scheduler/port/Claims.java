// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.ClaimRequest;
import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionResult;
import cupbear.scheduler.model.SessionView;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.model.WaitResult;
import cupbear.scheduler.model.Waiter;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who has which Machine. Every method is one atomic step, any replica may call any of them, and
 * time is the store's own. Futures fail with {@link StoreTrouble} only.
 *
 * <p>The rules that every implementation keeps (see {@code ClaimsContract}):
 *
 * <ul>
 *   <li>a Machine has at most one live session; only a warm one is given out; each grant has a
 *       higher epoch than all before;
 *   <li>the same caller, key and fingerprint get the same session for as long as the key is kept;
 *   <li>waiters are served in order, fairly across tenants; of grant, cancel and deadline exactly
 *       one wins;
 *   <li>a session that ends takes its Machine to draining, never back to warm, unless nothing was
 *       delivered.
 * </ul>
 */
public interface Claims {
  /** Gives the best warm Machine of the first region that has one, or a place in the queue. */
  Future<ClaimResult> claim(ClaimRequest request);

  /** Where a waiter stands: the backstop for a lost word of {@link #onGrant}. */
  Future<WaitResult> look(PoolName pool, Waiter waiter);

  /** Frees a place in the queue, or takes back (or still accepts) what was granted meanwhile. */
  Future<WaitResult> leave(PoolName pool, Waiter waiter, WaitResult.Leaving why);

  /**
   * The gateway is connected: the lease begins, the sealed credentials are erased. Says nothing of
   * a Machine that replaced another one, since the caller may mean the one before: that is
   * confirmed by a renewal with its epoch.
   */
  Future<SessionResult> confirm(SessionCall call);

  /**
   * The session goes on for another lease; the first renewal confirms it as well. A session that
   * got another Machine tells so to renewals with the old epoch, until the new one has been used.
   *
   * @param receipt the caller's signed grant, verified; a store that lost the session trusts it
   */
  Future<SessionResult> renew(SessionCall call, Epoch epoch, @Nullable Grant receipt);

  /** The session is over; saying so again changes nothing. */
  Future<SessionResult> release(SessionCall call);

  /**
   * The session is over and its Machine is to blame; unless the session has another Machine
   * meanwhile ({@link SessionResult.Stale}), or nothing is said to have been delivered and another
   * call with the same key may have done so ({@link SessionResult.Alive}).
   */
  Future<SessionResult> fail(SessionCall call, Blame blame);

  Future<Optional<SessionView>> session(PoolName pool, SessionId session);

  /**
   * Live sessions, newest last.
   *
   * @param caller only those of this one; null for all
   */
  Future<List<SessionView>> sessions(PoolName pool, @Nullable Caller caller);

  /** Tells of grants to waiters on any replica; words may be lost, and come on any thread. */
  void onGrant(Consumer<Grant> listener);

  /**
   * A call about one session.
   *
   * @param caller must own the session; null for an operator
   */
  record SessionCall(PoolName pool, SessionId session, @Nullable Caller caller, Terms terms) {}

  /**
   * What a Machine is blamed for.
   *
   * @param epoch of the grant that is meant: a Machine that came after it is not to blame
   * @param delivered false when no caller has heard of the grant. Then the key is free again, since
   *     whoever asks with it has nothing yet; otherwise it is spent, as with any session that ended
   */
  record Blame(Epoch epoch, boolean delivered, String reason) {}
}
