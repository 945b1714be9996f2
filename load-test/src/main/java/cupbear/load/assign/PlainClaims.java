// SPDX-License-Identifier: Apache-2.0
package cupbear.load.assign;

import cupbear.scheduler.adapter.redis.ClaimCommand;
import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.ClaimRequest;
import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionResult;
import cupbear.scheduler.model.SessionView;
import cupbear.scheduler.model.StoreRules;
import cupbear.scheduler.model.WaitResult;
import cupbear.scheduler.model.Waiter;
import cupbear.scheduler.port.Claims;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.RedisClient;

/**
 * The plain way to call Redis, for comparison: each claim takes a worker thread and a connection
 * from a pool and waits for its own round trip. Everything else is as the lanes do it.
 */
final class PlainClaims implements Claims, AutoCloseable {
  /** As many as the pool has connections; more of either gain nothing on loopback. */
  static final int WORKERS = 16;

  private final Claims rest;
  private final RedisClient redis;
  private final String replicationId;
  private final StoreRules rules;
  private final WorkerExecutor workers;

  PlainClaims(Claims rest, RedisClient redis, String replicationId, StoreRules rules, Vertx vertx) {
    this.rest = rest;
    this.redis = redis;
    this.replicationId = replicationId;
    this.rules = rules;
    this.workers = vertx.createSharedWorkerExecutor("plain", WORKERS);
  }

  @Override
  public Future<ClaimResult> claim(ClaimRequest request) {
    return workers.executeBlocking(
        () -> {
          Object reply =
              redis.evalsha(
                  ClaimCommand.sha(),
                  List.of(ClaimCommand.key(request.pool())),
                  ClaimCommand.arguments(replicationId, rules, request));
          return ClaimCommand.result(request, reply);
        },
        false);
  }

  @Override
  public Future<WaitResult> look(PoolName pool, Waiter waiter) {
    return rest.look(pool, waiter);
  }

  @Override
  public Future<WaitResult> leave(PoolName pool, Waiter waiter, WaitResult.Leaving why) {
    return rest.leave(pool, waiter, why);
  }

  @Override
  public Future<SessionResult> confirm(SessionCall call) {
    return rest.confirm(call);
  }

  @Override
  public Future<SessionResult> renew(SessionCall call, Epoch epoch, @Nullable Grant receipt) {
    return rest.renew(call, epoch, receipt);
  }

  @Override
  public Future<SessionResult> release(SessionCall call) {
    return rest.release(call);
  }

  @Override
  public Future<SessionResult> fail(SessionCall call, Blame blame) {
    return rest.fail(call, blame);
  }

  @Override
  public Future<Optional<SessionView>> session(PoolName pool, SessionId session) {
    return rest.session(pool, session);
  }

  @Override
  public Future<List<SessionView>> sessions(PoolName pool, @Nullable Caller caller) {
    return rest.sessions(pool, caller);
  }

  @Override
  public void onGrant(Consumer<Grant> listener) {
    rest.onGrant(listener);
  }

  @Override
  public void close() {
    workers.close();
    redis.close();
  }
}
