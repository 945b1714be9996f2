// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One call until it is answered for good: the same request again and again, at this replica or the
 * next, within the caller's time. Lives on the client's context; ends exactly once.
 */
final class Conversation<T> {
  private final Line line;
  private final Call call;
  private final Duration endsAt;
  private final Function<Reply, T> reader;
  private final Promise<T> ending = Promise.promise();
  private int failures;
  private Http.@Nullable Attempt attempt;
  private Time.@Nullable Alarm pause;

  /**
   * @param within the caller's time
   * @param reader makes a value of a success, or throws {@link GarbledAnswer}
   */
  Conversation(Line line, Call call, Duration within, Function<Reply, T> reader) {
    this.line = line;
    this.call = call;
    this.endsAt = line.time().now().plus(within);
    this.reader = reader;
    line.open().add(this);
    ending.future().onComplete(ended -> line.open().remove(this));
  }

  /** Fails with a {@link RefusedException}, or with a bug. */
  Future<T> start() {
    tryOnce();
    return ending.future();
  }

  /** Stops trying and lets go of the connection. */
  void giveUp(String why) {
    if (ending.future().isComplete()) return;
    Refusal.GivenUp refusal = new Refusal.GivenUp(why);
    ending.tryFail(new RefusedException(refusal));
    if (pause != null) pause.callOff();
    if (attempt != null) attempt.abort(refusal);
  }

  private void tryOnce() {
    if (ending.future().isComplete()) return;
    URI replica = line.replicas().current();
    Duration left = left();
    Duration patience = call.patience().compareTo(left) < 0 ? call.patience() : left;
    attempt = line.http().send(call, replica, patience);
    attempt
        .reply()
        .onSuccess(reply -> line.context().accept(() -> answered(reply, replica)))
        .onFailure(failure -> line.context().accept(() -> failed(failure, replica)));
  }

  private void answered(Reply reply, URI replica) {
    Optional<Refusal> refusal = reply.refusal();
    if (refusal.isPresent()) {
      refused(refusal.get(), replica);
      return;
    }
    try {
      ending.tryComplete(reader.apply(reply));
    } catch (GarbledAnswer garbled) {
      String why = replica + ": " + garbled.getMessage();
      refused(new Refusal.Garbled(why), replica);
    }
  }

  private void failed(Throwable failure, URI replica) {
    if (failure instanceof RefusedException refused) {
      refused(refused.refusal(), replica);
    } else {
      ending.tryFail(failure);
    }
  }

  private void refused(Refusal refusal, URI replica) {
    if (ending.future().isComplete()) return;
    failures++;
    double dice = line.dice().getAsDouble();
    switch (Retry.rule(refusal, failures, line.replicas().count(), left(), dice)) {
      case Retry.No no -> ending.tryFail(new RefusedException(refusal));
      case Retry.After after -> {
        if (after.elsewhere()) line.replicas().leave(replica);
        if (after.pause().isZero()) {
          tryOnce();
        } else {
          pause = line.time().after(after.pause(), () -> line.context().accept(this::tryOnce));
        }
      }
    }
  }

  private Duration left() {
    Duration left = endsAt.minus(line.time().now());
    return left.isNegative() ? Duration.ZERO : left;
  }
}
