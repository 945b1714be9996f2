// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A Machine of yours, for as long as you need it. It renews its lease by itself until it is closed,
 * failed or lost, and it goes on trying while no scheduler can be reached: live users do not depend
 * on the scheduler being there. Only the scheduler's word ends it.
 *
 * <p>Any thread may call. State lives on the client's context; listeners run there and must not
 * block. What may be lost: a release that reaches nobody within 30 s. The lease then ends it.
 */
public final class Session implements AutoCloseable {
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(15);
  private static final Duration RELEASE_WITHIN = Duration.ofSeconds(30);
  // The default wait of the queue and what a short call may take.
  private static final Duration REPLACE_WITHIN = Duration.ofSeconds(30);
  private static final Duration FOREVER = Duration.ofDays(3650);
  // Whatever a server says, we do not ask more often than this.
  private static final Duration SHORTEST_RENEWAL = Duration.ofSeconds(1);
  private static final int LONGEST_REASON = 200;

  private final Line line;
  private final Hop hop;
  private final Consumer<Session> onEnd;
  private volatile Grant grant;

  private boolean over;
  private @Nullable Refusal lost;
  private @Nullable Future<Void> release;
  private @Nullable Conversation<?> renewing;
  private Time.@Nullable Alarm nextRenewal;
  private final List<Consumer<Refusal>> lostListeners = new ArrayList<>();
  private final List<Consumer<Grant>> replacedListeners = new ArrayList<>();

  Session(Line line, Hop hop, Grant grant, Consumer<Session> onEnd) {
    this.line = line;
    this.hop = hop;
    this.grant = grant;
    this.onEnd = onEnd;
    renewLater();
  }

  /** Another one after {@link #fail} gave another Machine. */
  public String id() {
    return grant.session();
  }

  private String path() {
    return "/v1/sessions/" + grant.session();
  }

  /** The newest grant: after a replacement it names another Machine. */
  public Grant grant() {
    return grant;
  }

  /** Says that the viewer is connected. Do it as soon as it is; it confirms the session. */
  public Future<Void> connected() {
    Map<String, String> headers = hop.headers();
    return hop.to(() -> {
      if (over) return refusedAsOver();
      JsonObject body = new JsonObject().put("epoch", grant.epoch());
      Call call = Call.quick(HttpMethod.POST, path() + "/connected", body, headers);
      return new Conversation<Void>(line, call, ANSWER_WITHIN, Session::nothing)
          .start()
          .onFailure(this::loseIfFinal);
    });
  }

  /**
   * Says that the Machine does not work. It is taken away at once.
   *
   * @param reason one sentence for the operator
   * @param replace ask for another Machine; this object goes on with it, under a new id
   * @return the new grant, if one was asked for; without it the session is over
   */
  public Future<Optional<Grant>> fail(String reason, boolean replace) {
    Map<String, String> headers = hop.headers();
    return hop.to(() -> {
      if (over) return refusedAsOver();
      stopRenewing();
      JsonObject body =
          new JsonObject()
              .put("epoch", grant.epoch())
              .put("reason", reason.substring(0, Math.min(reason.length(), LONGEST_REASON)))
              .put("replace", replace);
      Call call =
          new Call(
              HttpMethod.POST,
              path() + "/fail",
              body,
              headers,
              SessionRequest.DEFAULT_WAIT.plus(Call.SHORT_PATIENCE),
              Call.Lane.WAITING);
      return new Conversation<>(line, call, REPLACE_WITHIN, Session::replacementIn)
          .start()
          .onSuccess(replacement -> replacement.ifPresentOrElse(this::goOnWith, this::end))
          .onFailure(failed -> end());
    });
  }

  /**
   * Gives the Machine back. Safe to call more than once, and after a loss; only one request is
   * made.
   */
  public Future<Void> release() {
    Map<String, String> headers = hop.headers();
    return hop.to(() -> releaseOnce(headers));
  }

  /** {@link #release} without looking back. */
  @Override
  public void close() {
    release();
  }

  /**
   * Told once, when the session is no longer yours although you did not end it: mostly {@link
   * Refusal.LeaseLost} or {@link Refusal.MachineLost}. At once, if it already happened.
   */
  public Session onLost(Consumer<Refusal> listener) {
    line.context()
        .accept(() -> {
          if (lost != null) listener.accept(lost);
          else if (!over) lostListeners.add(listener);
        });
    return this;
  }

  /** Told when the scheduler replaced a dead Machine by another: connect to the new one. */
  public Session onReplaced(Consumer<Grant> listener) {
    line.context().accept(() -> replacedListeners.add(listener));
    return this;
  }

  @Override
  public String toString() {
    return "Session[" + id() + " on " + grant.machine().id() + ", epoch " + grant.epoch() + "]";
  }

  /** On the context. */
  Future<Void> releaseOnce(Map<String, String> headers) {
    if (release != null) return release;
    if (over) return Future.succeededFuture();
    end();
    Call call = Call.quick(HttpMethod.DELETE, path(), null, headers);
    release =
        new Conversation<Void>(line, call, RELEASE_WITHIN, Session::nothing)
            .start()
            .recover(failure ->
                failure instanceof RefusedException refused
                        && refused.refusal() instanceof Refusal.NotFound
                    ? Future.succeededFuture()
                    : Future.failedFuture(failure));
    return release;
  }

  private void renewLater() {
    Duration within = grant.lease().renewWithin();
    Duration sane = within.compareTo(SHORTEST_RENEWAL) < 0 ? SHORTEST_RENEWAL : within;
    // Between half and three quarters: time for a second try, and no two gateways in step.
    long millis = (long) (sane.toMillis() * (0.5 + 0.25 * line.dice().getAsDouble()));
    nextRenewal =
        line.time().after(Duration.ofMillis(millis), () -> line.context().accept(this::renew));
  }

  private void renew() {
    if (over || renewing != null) return;
    JsonObject body = new JsonObject().put("epoch", grant.epoch()).put("receipt", grant.receipt());
    Call call = Call.quick(HttpMethod.PUT, path() + "/lease", body, Map.of());
    Conversation<Wire.Renewed> renewal = new Conversation<>(line, call, FOREVER, this::ownRenewal);
    renewing = renewal;
    renewal
        .start()
        .onComplete(ended -> {
          // A renewal that was called off has nothing to say any more.
          if (over || renewing != renewal) return;
          renewing = null;
          if (ended.succeeded()) renewed(ended.result());
          else loseIfFinal(ended.cause());
        });
  }

  private Wire.Renewed ownRenewal(Reply reply) {
    Wire.Renewed renewed = Wire.renewed(reply.json());
    if (renewed.session().equals(id())) return renewed;
    throw new GarbledAnswer("the renewal is of another session");
  }

  private void renewed(Wire.Renewed answer) {
    @Nullable Grant replacement = answer.replacement();
    if (replacement != null && replacement.epoch() > grant.epoch()) {
      goOnWith(replacement);
      replacedListeners.forEach(listener -> listener.accept(replacement));
    } else {
      grant = grant.renewed(answer.lease(), answer.receipt());
      renewLater();
    }
  }

  private void goOnWith(Grant newer) {
    if (over) return;
    grant = newer;
    renewLater();
  }

  private void loseIfFinal(Throwable failure) {
    if (over || !(failure instanceof RefusedException refused) || !endsIt(refused.refusal())) {
      return;
    }
    lost = refused.refusal();
    List<Consumer<Refusal>> told = List.copyOf(lostListeners);
    end();
    told.forEach(listener -> listener.accept(refused.refusal()));
  }

  /** Refusals after which no renewal can succeed. All others pass. */
  private static boolean endsIt(Refusal refusal) {
    return switch (refusal) {
      case Refusal.LeaseLost gone -> true;
      case Refusal.MachineLost gone -> true;
      case Refusal.EpochStale gone -> true;
      case Refusal.NotFound gone -> true;
      case Refusal.Unauthorized gone -> true;
      case Refusal.Forbidden gone -> true;
      case Refusal.Invalid gone -> true;
      case Refusal.Other gone -> true;
      case Refusal.NoCapacity passes -> false;
      case Refusal.QueueFull passes -> false;
      case Refusal.RateLimited passes -> false;
      case Refusal.Unavailable passes -> false;
      case Refusal.Unreachable passes -> false;
      case Refusal.TimedOut passes -> false;
      case Refusal.Garbled passes -> false;
      case Refusal.GivenUp passes -> false;
    };
  }

  private void end() {
    if (over) return;
    over = true;
    stopRenewing();
    lostListeners.clear();
    replacedListeners.clear();
    onEnd.accept(this);
  }

  private void stopRenewing() {
    if (nextRenewal != null) nextRenewal.callOff();
    @Nullable Conversation<?> running = renewing;
    renewing = null;
    if (running != null) running.giveUp("the session goes on otherwise");
  }

  private <T> Future<T> refusedAsOver() {
    Refusal why = lost != null ? lost : new Refusal.GivenUp("session " + id() + " is over");
    return Future.failedFuture(new RefusedException(why));
  }

  private static Optional<Grant> replacementIn(Reply reply) {
    return reply.status() == 204 ? Optional.empty() : Optional.of(Wire.grant(reply.json()));
  }

  @SuppressWarnings("NullAway") // Void has no other value
  private static Void nothing(Reply reply) {
    return null;
  }
}
