// SPDX-License-Identifier: Apache-2.0
package cupbear.probe.bench;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Does something a number of times, so many at once; the first failure ends it. */
final class Lanes {
  private final Supplier<CompletableFuture<Void>> one;
  private final AtomicInteger toBegin;
  private final AtomicInteger toEnd;
  private final CompletableFuture<Void> done = new CompletableFuture<>();

  Lanes(Supplier<CompletableFuture<Void>> one, int count) {
    this.one = one;
    this.toBegin = new AtomicInteger(count);
    this.toEnd = new AtomicInteger(count);
  }

  CompletableFuture<Void> start(int atOnce) {
    for (int i = 0; i < atOnce; i++) next();
    return done;
  }

  private void next() {
    if (toBegin.getAndDecrement() <= 0) return;
    var unused =
        one.get()
            .whenComplete((nothing, failure) -> {
              if (failure != null) done.completeExceptionally(failure);
              else if (toEnd.decrementAndGet() == 0) done.complete(null);
              else next();
            });
  }
}
