// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionResult;
import cupbear.scheduler.model.SessionView;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The request path: rank, claim, wait, answer. Any thread. */
public final class Assignments {
  public Assignments(Pools pools, Ports ports, GrantMemory memory, RegionBoard board) {
    throw new UnsupportedOperationException();
  }

  public Waiting assign(SessionRequest request, Caller caller) {
    throw new UnsupportedOperationException();
  }

  public Future<SessionResult> confirm(PoolName pool, SessionId session, @Nullable Caller caller) {
    throw new UnsupportedOperationException();
  }

  public Future<SessionResult> renew(
      PoolName pool,
      SessionId session,
      @Nullable Caller caller,
      Epoch epoch,
      @Nullable Grant receipt) {
    throw new UnsupportedOperationException();
  }

  public Future<SessionResult> release(PoolName pool, SessionId session, @Nullable Caller caller) {
    throw new UnsupportedOperationException();
  }

  public Future<SessionResult> fail(
      PoolName pool, SessionId session, @Nullable Caller caller, String reason) {
    throw new UnsupportedOperationException();
  }

  public Future<Optional<SessionView>> get(
      PoolName pool, SessionId session, @Nullable Caller caller) {
    throw new UnsupportedOperationException();
  }

  public Future<List<SessionView>> list(PoolName pool, @Nullable Caller caller) {
    throw new UnsupportedOperationException();
  }
}
