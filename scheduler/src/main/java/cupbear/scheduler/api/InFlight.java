// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Requests under way, and whether new ones are still taken. Any thread. */
final class InFlight {
  private final AtomicInteger now = new AtomicInteger();
  private final Promise<Void> empty = Promise.promise();
  private final List<Runnable> onDrain = new CopyOnWriteArrayList<>();
  private volatile boolean draining;

  boolean isDraining() {
    return draining;
  }

  int count() {
    return now.get();
  }

  void enter(Exchange exchange) {
    now.incrementAndGet();
    exchange.atEnd(this::leave);
  }

  private void leave() {
    if (now.decrementAndGet() == 0 && draining) empty.tryComplete();
  }

  /** What would go on for ever ends when this is called. */
  void onDrain(Runnable then) {
    onDrain.add(then);
    if (draining) then.run();
  }

  void noLonger(Runnable then) {
    onDrain.remove(then);
  }

  /** Nothing new; ends when the last one has its answer. */
  Future<Void> drain() {
    draining = true;
    onDrain.forEach(Runnable::run);
    if (now.get() == 0) empty.tryComplete();
    return empty.future();
  }
}
