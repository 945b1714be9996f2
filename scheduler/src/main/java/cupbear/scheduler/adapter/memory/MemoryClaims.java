// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.ClaimRequest;
import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionResult;
import cupbear.scheduler.model.SessionView;
import cupbear.scheduler.model.WaitResult;
import cupbear.scheduler.model.Waiter;
import cupbear.scheduler.port.Claims;
import cupbear.scheduler.port.StoreTrouble;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@link Claims} on a {@link MemoryStore}. */
final class MemoryClaims implements Claims {
  private static final Duration ASK_AGAIN = Duration.ofSeconds(1);

  private final MemoryStore store;
  private final Belief belief;
  private final Consumer<Consumer<Grant>> listeners;

  MemoryClaims(MemoryStore store, Belief belief, Consumer<Consumer<Grant>> listeners) {
    this.store = store;
    this.belief = belief;
    this.listeners = listeners;
  }

  private <T> Future<T> step(PoolName pool, Function<Step, T> work) {
    return store.step(
        pool,
        step -> {
          belief.require(step);
          return work.apply(step);
        });
  }

  @Override
  public Future<ClaimResult> claim(ClaimRequest request) {
    return store.step(request.pool(), step -> claim(step, request));
  }

  /** To a caller, a store that cannot be believed is one that recovers. */
  private ClaimResult claim(Step step, ClaimRequest request) {
    try {
      if (belief.require(step).open) return new ClaimResult.Recovering(ASK_AGAIN);
    } catch (StoreTrouble recovering) {
      return new ClaimResult.Recovering(ASK_AGAIN);
    }
    return new Claiming(step).claim(request);
  }

  @Override
  public Future<WaitResult> look(PoolName pool, Waiter waiter) {
    return step(pool, step -> new Claiming(step).look(waiter));
  }

  @Override
  public Future<WaitResult> leave(PoolName pool, Waiter waiter, WaitResult.Leaving why) {
    return step(pool, step -> new Claiming(step).leave(waiter, why));
  }

  @Override
  public Future<SessionResult> confirm(SessionCall call) {
    return step(call.pool(), step -> new Keeping(step).confirm(call));
  }

  @Override
  public Future<SessionResult> renew(SessionCall call, Epoch epoch, @Nullable Grant receipt) {
    return step(call.pool(), step -> new Keeping(step).renew(call, epoch, receipt));
  }

  @Override
  public Future<SessionResult> release(SessionCall call) {
    return step(call.pool(), step -> new Keeping(step).release(call));
  }

  @Override
  public Future<SessionResult> fail(SessionCall call, Blame blame) {
    return step(call.pool(), step -> new Keeping(step).fail(call, blame));
  }

  @Override
  public Future<Optional<SessionView>> session(PoolName pool, SessionId session) {
    return step(
        pool, step -> Optional.ofNullable(step.pool.sessions.find(session)).map(SessionRow::view));
  }

  @Override
  public Future<List<SessionView>> sessions(PoolName pool, @Nullable Caller caller) {
    return step(
        pool,
        step ->
            step.pool.sessions.live().stream()
                .filter(row -> caller == null || row.caller.equals(caller))
                .map(SessionRow::view)
                .toList());
  }

  @Override
  public void onGrant(Consumer<Grant> listener) {
    listeners.accept(listener);
  }
}
