// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The way from a caller's thread to the client's context, and back with the result. */
final class Hop {
  private final Context home;
  private final Supplier<Map<String, String>> headers;

  Hop(Context home, Supplier<Map<String, String>> headers) {
    this.home = home;
    this.headers = headers;
  }

  /** The caller's own headers, such as its trace; asked on the caller's thread. */
  Map<String, String> headers() {
    return Map.copyOf(headers.get());
  }

  /** Does the work at home and completes the future where the caller is at home. */
  <T> Future<T> to(Supplier<Future<T>> work) {
    @Nullable Context caller = Vertx.currentContext();
    Promise<T> result = Promise.promise();
    boolean taken =
        run(() ->
            work.get()
                .onComplete(ended -> {
                  if (caller == null || caller.equals(home)) {
                    result.handle(ended);
                  } else {
                    caller.runOnContext(back -> result.handle(ended));
                  }
                }));
    if (!taken) {
      result.fail(new RefusedException(new Refusal.GivenUp("this client is closed")));
    }
    return result.future();
  }

  /** False when there is no home any more, because its Vert.x is closed. */
  boolean run(Runnable task) {
    if (home.equals(Vertx.currentContext())) {
      task.run();
      return true;
    }
    try {
      home.runOnContext(there -> task.run());
      return true;
    } catch (RejectedExecutionException closed) {
      return false;
    }
  }
}
