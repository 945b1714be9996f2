// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The supervisor's one thread, and how answers of the store come back to it. */
final class Home {
  private static final Duration STORE_WITHIN = Duration.ofSeconds(4);

  private final Executor thread;
  private final Deadlines deadlines;
  private volatile boolean closed;

  Home(Executor thread, Deadlines deadlines) {
    this.thread = thread;
    this.deadlines = deadlines;
  }

  /** Nothing is heard any more. */
  void close() {
    closed = true;
  }

  void run(Runnable work) {
    thread.execute(() -> {
      if (!closed) work.run();
    });
  }

  /** Asks the store; ends on any thread. */
  <T> Future<T> ask(String what, Supplier<Future<T>> call) {
    return deadlines.within(STORE_WITHIN, what, call);
  }

  /** Asks the store; the answer, or why there is none, is heard at home. */
  <T> void ask(
      String what, Supplier<Future<T>> call, BiConsumer<@Nullable T, @Nullable Throwable> then) {
    ask(what, call).onComplete((value, failure) -> run(() -> then.accept(value, failure)));
  }
}
