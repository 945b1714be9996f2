// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

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
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Claims like other ones, but for what is overridden. */
class OtherClaims implements Claims {
  private final Claims real;

  OtherClaims(Claims real) {
    this.real = real;
  }

  @Override
  public Future<ClaimResult> claim(ClaimRequest request) {
    return real.claim(request);
  }

  @Override
  public Future<WaitResult> look(PoolName pool, Waiter waiter) {
    return real.look(pool, waiter);
  }

  @Override
  public Future<WaitResult> leave(PoolName pool, Waiter waiter, WaitResult.Leaving why) {
    return real.leave(pool, waiter, why);
  }

  @Override
  public Future<SessionResult> confirm(SessionCall call) {
    return real.confirm(call);
  }

  @Override
  public Future<SessionResult> renew(SessionCall call, Epoch epoch, @Nullable Grant receipt) {
    return real.renew(call, epoch, receipt);
  }

  @Override
  public Future<SessionResult> release(SessionCall call) {
    return real.release(call);
  }

  @Override
  public Future<SessionResult> fail(SessionCall call, Blame blame) {
    return real.fail(call, blame);
  }

  @Override
  public Future<Optional<SessionView>> session(PoolName pool, SessionId session) {
    return real.session(pool, session);
  }

  @Override
  public Future<List<SessionView>> sessions(PoolName pool, @Nullable Caller caller) {
    return real.sessions(pool, caller);
  }

  @Override
  public void onGrant(Consumer<Grant> listener) {
    real.onGrant(listener);
  }
}
