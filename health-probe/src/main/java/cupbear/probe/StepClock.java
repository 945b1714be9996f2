// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.AbstractScheduledEventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Measures a probe's steps and sees to their deadlines: one timer, for the step or for the whole,
 * whichever ends first. Reads the time from its event loop, so that a test can turn it. It also
 * notices when the one who is late is us. On the event loop only.
 */
final class StepClock {

  /** A timer this late has been held up by our own work: look once more at the socket first. */
  private static final long HELD_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /**
   * A deadline has passed.
   *
   * @param limit how long the step was allowed to take, at most what was left of the whole
   * @param oursBy how far our own event loop is behind, when by more than a deadline; else zero
   */
  record Late(ProbeStep step, Duration limit, Duration oursBy) {}

  private final EventLoop loop;
  private final Ticker ticker;
  private final Deadlines deadlines;
  private final Consumer<Late> onLate;
  private final long began;
  private final List<StepTime> steps = new ArrayList<>(8);

  private ProbeStep step = ProbeStep.CONNECT;
  private long entered;
  private boolean within;
  private @Nullable ScheduledFuture<?> timer;

  StepClock(EventLoop loop, Deadlines deadlines, Consumer<Late> onLate) {
    this.loop = loop;
    this.ticker =
        loop instanceof AbstractScheduledEventExecutor timed
            ? timed.ticker()
            : Ticker.systemTicker();
    this.deadlines = deadlines;
    this.onLate = onLate;
    this.began = ticker.nanoTime();
    this.entered = began;
  }

  ProbeStep step() {
    return step;
  }

  /** Begins a step; one that is already under way goes on, with the deadline it has. */
  void enter(ProbeStep next) {
    if (within && next == step) return;
    leave();
    step = next;
    within = true;
    entered = ticker.nanoTime();
    long own = deadlines.of(next).toNanos();
    long limit = Math.max(0, Math.min(own, began + deadlines.total().toNanos() - entered));
    long due = entered + limit;
    timer = loop.schedule(() -> passed(due, limit, own), limit, TimeUnit.NANOSECONDS);
  }

  /** Ends the step under way, if any. */
  void leave() {
    if (timer != null) timer.cancel(false);
    timer = null;
    if (within) steps.add(new StepTime(step, since(entered)));
    within = false;
  }

  ProbeReport stop(ProbeResult result) {
    leave();
    return new ProbeReport(result, steps, since(began));
  }

  private void passed(long due, long limit, long own) {
    long late = ticker.nanoTime() - due;
    if (late <= HELD_UP_NANOS) {
      timer = null;
      onLate.accept(new Late(step, Duration.ofNanos(limit), Duration.ZERO));
      return;
    }
    // The answer may be waiting in the socket: let the loop read before anyone is blamed.
    timer = loop.schedule(() -> blame(late, limit, own), 1, TimeUnit.MILLISECONDS);
  }

  private void blame(long late, long limit, long own) {
    timer = null;
    boolean ours = late > own;
    Duration oursBy = ours ? Duration.ofNanos(late) : Duration.ZERO;
    onLate.accept(new Late(step, Duration.ofNanos(limit), oursBy));
  }

  private Duration since(long start) {
    return Duration.ofNanos(ticker.nanoTime() - start);
  }
}
