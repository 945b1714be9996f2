// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.port.Time;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.function.Supplier;

/** Futures that end in time, and waiting that blocks nobody. */
final class Deadlines {
  /** No answer in time. */
  static final class Late extends RuntimeException {
    Late(String what) {
      super(what, null, false, false);
    }
  }

  private final Time time;

  Deadlines(Time time) {
    this.time = time;
  }

  /** Ends as the call does, or as {@link Late}; a call that throws instead of failing fails. */
  <T> Future<T> within(Duration most, String what, Supplier<Future<T>> call) {
    Promise<T> promise = Promise.promise();
    Time.Timer timer =
        time.after(
            most, () -> promise.tryFail(new Late("%s: no answer in %s".formatted(what, most))));
    attempt(call)
        .onComplete((value, failure) -> {
          timer.cancel();
          if (failure == null) promise.tryComplete(value);
          else promise.tryFail(failure);
        });
    return promise.future();
  }

  Future<Void> pause(Duration length) {
    Promise<Void> promise = Promise.promise();
    time.after(length, promise::tryComplete);
    return promise.future();
  }

  @SuppressWarnings("IllegalCatch") // the border to code that is not ours
  private static <T> Future<T> attempt(Supplier<Future<T>> call) {
    try {
      return call.get();
    } catch (RuntimeException broken) {
      return Future.failedFuture(broken);
    }
  }
}
