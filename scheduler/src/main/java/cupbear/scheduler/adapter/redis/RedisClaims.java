// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import static cupbear.scheduler.adapter.redis.Fields.list;
import static cupbear.scheduler.adapter.redis.Fields.millis;
import static cupbear.scheduler.adapter.redis.Fields.text;

import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.ClaimRequest;
import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionResult;
import cupbear.scheduler.model.SessionView;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.model.WaitResult;
import cupbear.scheduler.model.Waiter;
import cupbear.scheduler.port.Claims;
import cupbear.scheduler.port.StoreTrouble;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Claims as scripts: {@code claim wait session sessions}. Any thread. */
final class RedisClaims implements Claims {
  private static final Script CLAIM = Script.named("claim");
  private static final Script WAIT = Script.named("wait");
  private static final Script SESSION = Script.named("session");
  private static final Script SESSIONS = Script.named("sessions");

  private static final Duration ASK_AGAIN = Duration.ofSeconds(1);
  private static final int LONGEST_REASON = 200;

  /** Sessions per call when all are listed. */
  private static final int PAGE = 200;

  private final RedisStore store;
  private final List<Consumer<Grant>> listeners = new CopyOnWriteArrayList<>();

  RedisClaims(RedisStore store) {
    this.store = store;
  }

  @Override
  public Future<ClaimResult> claim(ClaimRequest request) {
    return store
        .call(request.pool(), CLAIM, arguments(request))
        .map(reply -> claimed(request, reply))
        .recover(RedisClaims::recovering);
  }

  static List<String> arguments(ClaimRequest request) {
    Terms terms = request.terms();
    return List.of(
        request.caller().id(),
        request.tenant(),
        request.key(),
        request.fingerprint(),
        request.proposed().session().value(),
        request.proposed().mark(),
        request.regions().stream().map(Region::code).collect(Collectors.joining(",")),
        millis(request.patience()),
        millis(terms.confirmWithin()),
        millis(terms.lease()),
        millis(terms.maxSession()),
        millis(terms.keyKept()),
        Integer.toString(terms.queueMax()));
  }

  /** To a caller, a store that cannot be believed is one that recovers. */
  private static Future<ClaimResult> recovering(Throwable failure) {
    return failure instanceof StoreTrouble trouble && trouble.kind() == StoreTrouble.Kind.RECOVERING
        ? Future.succeededFuture(new ClaimResult.Recovering(ASK_AGAIN))
        : Future.failedFuture(failure);
  }

  static ClaimResult claimed(ClaimRequest request, Object reply) {
    List<?> parts = list(reply);
    return switch (text(parts.get(0))) {
      case "granted" ->
          new ClaimResult.Granted(Records.grant(request, Fields.of(parts.get(1))), false);
      case "again" ->
          new ClaimResult.Granted(Records.grant(request.pool(), Fields.of(parts.get(1))), true);
      case "queued" ->
          new ClaimResult.Queued(
              new Waiter(new SessionId(text(parts.get(1))), text(parts.get(2))),
              Integer.parseInt(text(parts.get(3))));
      case "none" -> new ClaimResult.NoneWarm();
      case "full" -> new ClaimResult.QueueFull(Integer.parseInt(text(parts.get(1))));
      case "reused" -> new ClaimResult.KeyReused();
      case "spent" -> new ClaimResult.KeySpent(new SessionId(text(parts.get(1))));
      case "recovering" -> new ClaimResult.Recovering(ASK_AGAIN);
      default -> throw unexpected("claim", parts);
    };
  }

  @Override
  public Future<WaitResult> look(PoolName pool, Waiter waiter) {
    return wait(pool, waiter, "look");
  }

  @Override
  public Future<WaitResult> leave(PoolName pool, Waiter waiter, WaitResult.Leaving why) {
    return wait(pool, waiter, why.name().toLowerCase(Locale.ROOT));
  }

  private Future<WaitResult> wait(PoolName pool, Waiter waiter, String what) {
    List<String> args = List.of(what, waiter.session().value(), waiter.mark());
    return store.call(pool, WAIT, args).map(reply -> waited(pool, reply));
  }

  private static WaitResult waited(PoolName pool, Object reply) {
    List<?> parts = list(reply);
    return switch (text(parts.get(0))) {
      case "waiting" -> new WaitResult.StillWaiting(Integer.parseInt(text(parts.get(1))));
      case "granted" -> new WaitResult.Granted(Records.grant(pool, Fields.of(parts.get(1))));
      case "left" -> new WaitResult.Left();
      case "taken" -> new WaitResult.TakenBack(new MachineId(text(parts.get(1))));
      case "superseded" -> new WaitResult.Superseded();
      case "unheard" -> new WaitResult.Unheard();
      default -> throw unexpected("wait", parts);
    };
  }

  @Override
  public Future<SessionResult> confirm(SessionCall call) {
    return about("confirm", call, "", List.of());
  }

  @Override
  public Future<SessionResult> renew(SessionCall call, Epoch epoch, @Nullable Grant receipt) {
    boolean fits = receipt != null && receipt.session().equals(call.session());
    List<String> more = receipt == null || !fits ? List.of() : receipt(receipt);
    return about("renew", call, epoch.toString(), more);
  }

  private static List<String> receipt(Grant grant) {
    return List.of(
        grant.caller().id(),
        grant.key(),
        grant.fingerprint(),
        grant.machine().value(),
        grant.region().code(),
        grant.address(),
        grant.epoch().toString(),
        millis(grant.grantedAt()),
        millis(grant.waited()),
        millis(grant.confirmBy()),
        millis(grant.proof().bootedAt()),
        millis(grant.proof().guacdAt()),
        millis(grant.proof().rdpAt()));
  }

  @Override
  public Future<SessionResult> release(SessionCall call) {
    return about("release", call, "", List.of());
  }

  @Override
  public Future<SessionResult> fail(SessionCall call, Blame blame) {
    String reason = blame.reason();
    String said = reason.substring(0, Math.min(reason.length(), LONGEST_REASON));
    List<String> more = List.of(blame.epoch().toString(), blame.delivered() ? "1" : "");
    return about("fail", call, said, more);
  }

  private Future<SessionResult> about(
      String what, SessionCall call, String said, List<String> more) {
    Caller caller = call.caller();
    List<String> args = new ArrayList<>();
    args.add(what);
    args.add(call.session().value());
    args.add(caller == null ? "" : caller.id());
    args.add(said);
    args.add(millis(call.terms().confirmWithin()));
    args.add(millis(call.terms().lease()));
    args.add(millis(call.terms().maxSession()));
    args.add(millis(call.terms().keyKept()));
    args.addAll(more);
    return store.call(call.pool(), SESSION, args).map(reply -> answered(call.pool(), reply));
  }

  private static SessionResult answered(PoolName pool, Object reply) {
    List<?> parts = list(reply);
    return switch (text(parts.get(0))) {
      case "alive" -> new SessionResult.Alive(Records.session(pool, Fields.of(parts.get(1))));
      case "lost" -> new SessionResult.Lost(Records.session(pool, Fields.of(parts.get(1))));
      case "over" -> new SessionResult.Over(Records.ended(text(parts.get(1))));
      case "stale" -> new SessionResult.Stale(new Epoch(Long.parseLong(text(parts.get(1)))));
      case "missing" -> new SessionResult.NotFound();
      default -> throw unexpected("session", parts);
    };
  }

  @Override
  public Future<Optional<SessionView>> session(PoolName pool, SessionId session) {
    return store
        .call(pool, SESSIONS, List.of("one", session.value(), "1"))
        .map(reply -> views(pool, reply).stream().findFirst());
  }

  @Override
  public Future<List<SessionView>> sessions(PoolName pool, @Nullable Caller caller) {
    return page(pool, "0", new ArrayList<>())
        .map(all ->
            all.stream().filter(each -> caller == null || each.caller().equals(caller)).toList());
  }

  private Future<List<SessionView>> page(PoolName pool, String after, List<SessionView> all) {
    return store
        .call(pool, SESSIONS, List.of("page", after, Integer.toString(PAGE)))
        .compose(reply -> {
          List<?> found = list(reply);
          all.addAll(views(pool, reply));
          if (found.size() < PAGE) return Future.succeededFuture(all);
          return page(pool, text(list(found.getLast()).getFirst()), all);
        });
  }

  private static List<SessionView> views(PoolName pool, Object reply) {
    return list(reply).stream()
        .map(each -> Records.session(pool, Fields.of(list(each).get(1))))
        .toList();
  }

  @Override
  public void onGrant(Consumer<Grant> listener) {
    listeners.add(listener);
  }

  /** A waiter somewhere was served; this replica may be the one that waits for it. */
  void heard(PoolName pool, String session) {
    if (listeners.isEmpty()) return;
    session(pool, new SessionId(session))
        .onSuccess(found ->
            found
                .map(SessionView::grant)
                .ifPresent(grant -> listeners.forEach(l -> l.accept(grant))));
  }

  static IllegalStateException unexpected(String script, List<?> parts) {
    return new IllegalStateException(
        "the script %s answered '%s', which nobody understands"
            .formatted(script, text(parts.get(0))));
  }
}
