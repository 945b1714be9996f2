// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.loop.Effect;
import cupbear.scheduler.loop.Event;
import cupbear.scheduler.loop.Inbox;
import cupbear.scheduler.loop.Memory;
import cupbear.scheduler.loop.RegionLoop;
import cupbear.scheduler.port.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One loop at work: its inbox, its alarm clock, its runner. Events may come from any thread and are
 * heard on the loop's own; once it is stopped nothing leaves it any more.
 *
 * <p>The loop says when it has something to do next and is left alone until then, so that a pool
 * where nothing happens costs next to nothing.
 */
final class RunningLoop {
  /** What is due within this time is done together; fine enough for probes every second. */
  private static final Duration SLEEP_LEAST = Duration.ofMillis(250);

  /** A loop that reckons wrongly is late by this much, and no more. */
  private static final Duration SLEEP_MOST = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(RunningLoop.class);

  private final RegionLoop loop;
  private final Time time;
  private final SteadyTime clock;
  private final Inbox inbox;
  private final EffectRunner runner;
  private final Consumer<String> onEnd;
  private volatile Memory memory = Memory.NONE;
  private volatile boolean stopped;
  private volatile Time.@Nullable Timer alarm;

  /** When the alarm rings, by the monotonic clock; the loop's thread. */
  private long alarmNanos;

  /**
   * A loop that does not run yet.
   *
   * @param runner makes the runner, given where endings go
   * @param onEnd told once when the loop ends by itself: its mandate is lost, or it broke
   */
  RunningLoop(
      RegionLoop loop,
      Time time,
      SteadyTime clock,
      Executor thread,
      Function<Consumer<Event>, EffectRunner> runner,
      Consumer<String> onEnd) {
    this.loop = loop;
    this.time = time;
    this.clock = clock;
    this.inbox = new Inbox(Inbox.LIMIT, thread, this::hear);
    this.runner = runner.apply(inbox::put);
    this.onEnd = onEnd;
  }

  void start() {
    memory = loop.memory();
    beat();
  }

  void tell(Event event) {
    inbox.put(event);
  }

  /** Nothing more is decided; what is under way comes to its end unheard. */
  void stop() {
    stopped = true;
    inbox.close();
    Time.Timer pending = alarm;
    if (pending != null) pending.cancel();
  }

  int acting() {
    return runner.acting();
  }

  Memory memory() {
    return memory;
  }

  private void beat() {
    inbox.put(new Event.Beat());
  }

  @SuppressWarnings("IllegalCatch") // a loop that breaks must end loudly, not silently
  private void hear(Event event) {
    if (stopped) return;
    try {
      Instant now = clock.now();
      for (Effect effect : loop.on(event, now)) runner.run(effect);
      if (isWorthRemembering(event)) memory = loop.memory();
      if (event instanceof Event.MandateLost lost) end(lost.why());
      else sleepUntil(loop.wakeAt(), now);
    } catch (RuntimeException broken) {
      LOG.atError().setCause(broken).addKeyValue("event", event).log("a loop broke");
      runner.run(new Effect.Breach("loop_broke"));
      end("it broke: " + broken);
    }
  }

  /** An alarm that rings earlier may stay: waking up for nothing is cheap. */
  private void sleepUntil(Instant wakeAt, Instant now) {
    Duration wait = SLEEP_MOST;
    if (wakeAt.isBefore(now.plus(SLEEP_LEAST))) wait = SLEEP_LEAST;
    else if (wakeAt.isBefore(now.plus(SLEEP_MOST))) wait = Duration.between(now, wakeAt);
    long nanos = time.nanos();
    Time.Timer pending = alarm;
    if (pending != null && alarmNanos - nanos > 0) {
      if (alarmNanos - nanos <= wait.toNanos()) return;
      pending.cancel();
    }
    alarmNanos = nanos + wait.toNanos();
    alarm = time.after(wait, this::beat);
  }

  private void end(String why) {
    stop();
    onEnd.accept(why);
  }

  private static boolean isWorthRemembering(Event event) {
    return event instanceof Event.Seen
        || event instanceof Event.Outcome
        || event instanceof Event.Proved;
  }
}
