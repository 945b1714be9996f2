// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out calls: what all of them share. Everything but {@link #run} happens on one loop, so
 * nothing here is locked. A restart forgets paces and the breaker, nothing else.
 */
final class Engine {

  /** Runs long work elsewhere and tells later. */
  interface OffLoop {
    <T> Future<T> run(Callable<T> work);
  }

  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

  final Wire wire;
  final FlyConfig config;
  final FlyTime time;
  final Executor loop;
  final OffLoop offLoop;
  final Gate gate;
  private Breaker breaker;
  private boolean closed;
  private boolean hookFailed;

  Engine(Wire wire, FlyConfig config, FlyTime time, Executor loop, OffLoop offLoop) {
    this.wire = wire;
    this.config = config;
    this.time = time;
    this.loop = loop;
    this.offLoop = offLoop;
    this.gate = new Gate(config.pacing(), time, loop);
    this.breaker = Breaker.closed(config.breaker());
  }

  /** The Future ends on the caller's Vert.x context, if it has one. */
  <T> Future<T> run(Call<T> call) {
    Promise<T> promise = Promise.promise();
    Context caller = Vertx.currentContext();
    Executor back = caller == null ? Runnable::run : task -> caller.runOnContext(v -> task.run());
    loop.execute(() -> new Errand<>(this, call, promise, back).begin());
    return promise.future();
  }

  Future<Void> close() {
    Promise<Void> done = Promise.promise();
    loop.execute(() -> {
      closed = true;
      gate.close();
      wire.close().onComplete(done);
    });
    return done.future();
  }

  boolean isClosed() {
    return closed;
  }

  /** True when a request may leave now; it then counts as the one that tries, if one is due. */
  boolean mayLeave(Action action) {
    // A long poll would try for a minute, and everybody else would wait for its verdict.
    boolean trial = breaker.phase() != Breaker.Phase.CLOSED;
    if (!breaker.permits(time.nanos()) || (trial && action.isLongPoll())) {
      return false;
    }
    breaker = breaker.leaving();
    return true;
  }

  /** What a request tells of the host behind the API. */
  enum Verdict {
    WELL,
    ILL,
    UNDECIDED
  }

  void heard(Verdict verdict) {
    Breaker before = breaker;
    breaker =
        switch (verdict) {
          case WELL -> before.succeeded();
          case ILL -> before.failed(time.nanos());
          case UNDECIDED -> before.undecided();
        };
    String host = config.base().getAuthority();
    if (before.phase() == Breaker.Phase.CLOSED && breaker.phase() == Breaker.Phase.OPEN) {
      LOG.warn("Fly API does not answer; calls fail at once until it does, host={}", host);
      quietly(() -> config.hooks().breaker(host, true));
    } else if (before.phase() != Breaker.Phase.CLOSED && breaker.phase() == Breaker.Phase.CLOSED) {
      LOG.info("Fly API answers again, host={}", host);
      quietly(() -> config.hooks().breaker(host, false));
    }
  }

  /** A broken listener must not break a call, nor fill the log: only its first failure is told. */
  void quietly(Runnable hook) {
    try {
      hook.run();
    } catch (RuntimeException broken) {
      if (!hookFailed) {
        hookFailed = true;
        LOG.warn("A hook of the Fly client failed; calls go on, later ones are not logged", broken);
      }
    }
  }
}
