// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.core.Atlas;
import cupbear.scheduler.core.Placement;
import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionResult;
import cupbear.scheduler.model.SessionView;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.model.Waiter;
import cupbear.scheduler.port.Claims.Blame;
import cupbear.scheduler.port.Claims.SessionCall;
import cupbear.scheduler.port.StoreTrouble;
import cupbear.scheduler.trace.Span;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The request path: rank, claim, wait, answer; and everything a gateway says about its session
 * later. Decides nothing that the store has not decided. Any thread; what it holds (who waits here,
 * which grants it made) may be lost with the process: the store has both.
 */
public final class Assignments {
  /** More local waiters than this and the queue itself is the problem. */
  static final int WAITERS_MOST = 1000;

  private static final int REPEATS = 3;
  private static final Duration REPEAT_AFTER = Duration.ofMillis(100);
  private static final Duration STORE_WITHIN = Duration.ofSeconds(5);

  private final Pools pools;
  private final Ports ports;
  private final GrantMemory memory;
  private final RegionBoard board;
  private final Deadlines deadlines;
  private final WaitingRoom room;
  private final Connections connections = new Connections();

  public Assignments(Pools pools, Ports ports, GrantMemory memory, RegionBoard board) {
    this.pools = pools;
    this.ports = ports;
    this.memory = memory;
    this.board = board;
    this.deadlines = new Deadlines(ports.time());
    this.room = new WaitingRoom(WAITERS_MOST);
    ports.claims().onGrant(room::word);
  }

  /** Gives a proven Machine to a session, now or within the caller's time. */
  public Waiting assign(SessionRequest request, Caller caller) {
    return assign(request, caller, Span.NONE);
  }

  /**
   * The same.
   *
   * @param span the request as a whole, which its steps belong to
   */
  public Waiting assign(SessionRequest request, Caller caller, Span span) {
    Optional<PoolSpec> pool = pools.find(request.pool());
    if (pool.isEmpty()) {
      String known = String.join(", ", pools.all().keySet().stream().map(PoolName::value).toList());
      return Answered.with(
          new Answer.BadRequest(
              "pool", "no pool '%s'; there is: %s".formatted(request.pool(), known)));
    }
    return assign(request, caller, pool.get(), span);
  }

  private Waiting assign(SessionRequest request, Caller caller, PoolSpec pool, Span span) {
    Optional<Answer> wrong = Requests.whatIsWrong(request, pool, Atlas.FLY);
    if (wrong.isPresent()) return Answered.with(wrong.get());
    Placement.Wish wish = new Placement.Wish(request.regions(), request.from());
    Span ranking = span.child("assign.rank");
    List<Region> regions = Placement.rank(wish, pool.placement(), Atlas.FLY);
    ranking.with("cupbear.regions", regions).end();
    if (regions.isEmpty()) {
      return Answered.with(
          new Answer.BadRequest(
              "region", "pool %s has no region within its max_distance_km".formatted(pool.name())));
    }
    Waiter proposed = new Waiter(ports.ids().session(pool.name()), ports.ids().mark());
    Ask ask = new Ask(request, caller, pool, regions, board, span);
    AssignCall call = new AssignCall(ask, proposed, ports, deadlines, room, memory);
    call.start();
    return call;
  }

  /** Requests of this replica that stand in the queue. */
  public int waiting() {
    return room.size();
  }

  public Future<SessionResult> confirm(PoolName pool, SessionId session, @Nullable Caller caller) {
    return repeated(() -> ports.claims().confirm(call(pool, session, caller)))
        .onSuccess(result -> remember(session, result));
  }

  public Future<SessionResult> renew(
      PoolName pool,
      SessionId session,
      @Nullable Caller caller,
      Epoch epoch,
      @Nullable Grant receipt) {
    return repeated(() -> ports.claims().renew(call(pool, session, caller), epoch, receipt))
        .onSuccess(result -> remember(session, result));
  }

  public Future<SessionResult> release(PoolName pool, SessionId session, @Nullable Caller caller) {
    return repeated(() -> ports.claims().release(call(pool, session, caller)))
        .onSuccess(result -> ended(pool, session, result, "released"));
  }

  /**
   * What became of a session that its gateway gave up.
   *
   * @param replacement the answer to the request for another Machine; null when none was wished
   *     for, or the session is not over
   */
  public record Failed(SessionResult result, @Nullable Answer replacement) {}

  /**
   * The session is over and its Machine to blame. Its key is spent: who wants another Machine says
   * so here, or asks with another key.
   *
   * @param epoch of the grant that is meant; a Machine that came after it is not to blame
   * @param replace its caller is given another Machine, as if it had asked anew
   */
  public Future<Failed> fail(
      PoolName pool,
      SessionId session,
      @Nullable Caller caller,
      Epoch epoch,
      String reason,
      boolean replace) {
    Blame blame = new Blame(epoch, true, reason);
    Future<SessionResult> failed =
        repeated(() -> ports.claims().fail(call(pool, session, caller), blame))
            .onSuccess(result -> ended(pool, session, result, "failed"));
    if (!replace) return failed.map(result -> new Failed(result, null));
    return failed.compose(result ->
        get(pool, session, caller)
            .compose(found -> {
              SessionView view = found.orElse(null);
              boolean over = result instanceof SessionResult.Over;
              return over && view != null && view.grant() != null
                  ? replacement(view, view.grant()).map(answer -> new Failed(result, answer))
                  : Future.succeededFuture(new Failed(result, null));
            }));
  }

  /**
   * A grant that cannot be handed over: its Machine goes, and a repeat of the request begins anew.
   */
  public Future<SessionResult> giveUp(Grant grant, String reason) {
    Blame blame = new Blame(grant.epoch(), false, reason);
    SessionCall call = call(grant.pool(), grant.session(), null);
    return repeated(() -> ports.claims().fail(call, blame))
        .onSuccess(result -> ended(grant.pool(), grant.session(), result, "failed"));
  }

  /** Under a key that follows from the first one: failing twice does not take two Machines. */
  private Future<Answer> replacement(SessionView before, Grant grant) {
    SessionRequest again =
        new SessionRequest(
            grant.pool(),
            List.of(grant.region()),
            null,
            before.tenant(),
            null,
            java.util.Map.of(),
            Requests.nextKey(grant.key()),
            grant.fingerprint());
    return assign(again, before.caller()).answer();
  }

  public Future<Optional<SessionView>> get(
      PoolName pool, SessionId session, @Nullable Caller caller) {
    return repeated(() -> ports.claims().session(pool, session))
        .map(found -> found.filter(view -> caller == null || view.caller().equals(caller)));
  }

  /** Live sessions, newest last; of one caller, or of all. */
  public Future<List<SessionView>> list(PoolName pool, @Nullable Caller caller) {
    return repeated(() -> ports.claims().sessions(pool, caller));
  }

  private SessionCall call(PoolName pool, SessionId session, @Nullable Caller caller) {
    Terms terms = pools.find(pool).map(PoolSpec::terms).orElse(Terms.DEFAULT);
    return new SessionCall(pool, session, caller, terms);
  }

  private void ended(PoolName pool, SessionId session, SessionResult result, String how) {
    remember(session, result);
    if (result instanceof SessionResult.Over) ports.meters().ended(pool, session, null, how);
  }

  /** What lives is remembered for a store that may forget; what is over is not. */
  private void remember(SessionId session, SessionResult result) {
    switch (result) {
      case SessionResult.Alive alive -> {
        Grant grant = alive.session().grant();
        if (grant == null) return;
        memory.remember(grant);
        connections.first(alive.session()).ifPresent(took -> ports.meters().connected(grant, took));
      }
      // Its end may be lost with its grant: a Machine that was used must not look unused then.
      case SessionResult.Over any -> memory.ended(session);
      case SessionResult.Lost any -> memory.ended(session);
      case SessionResult.NotFound any -> {}
      case SessionResult.Stale any -> {}
    }
  }

  /** All of these may be said twice; one whose answer got lost is. */
  private <T> Future<T> repeated(Supplier<Future<T>> call) {
    return repeated(call, REPEATS);
  }

  private <T> Future<T> repeated(Supplier<Future<T>> call, int left) {
    return deadlines
        .within(STORE_WITHIN, "store", call)
        .recover(failure -> {
          if (left > 1 && isUnsure(failure)) {
            return deadlines.pause(REPEAT_AFTER).compose(any -> repeated(call, left - 1));
          }
          return Future.failedFuture(
              failure instanceof StoreTrouble
                  ? failure
                  : new StoreTrouble(StoreTrouble.Kind.UNSURE, "" + failure.getMessage()));
        });
  }

  static boolean isUnsure(Throwable failure) {
    return failure instanceof Deadlines.Late
        || (failure instanceof StoreTrouble trouble && trouble.kind() == StoreTrouble.Kind.UNSURE);
  }
}
