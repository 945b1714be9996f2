// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.loop.Effect;
import cupbear.scheduler.loop.Event;
import cupbear.scheduler.loop.Inbox;
import cupbear.scheduler.loop.Memory;
import cupbear.scheduler.loop.RegionLoop;
import cupbear.scheduler.port.Time;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One loop at work: its inbox, its beat, its runner. Events may come from any thread and are heard
 * on the loop's own; once it is stopped nothing leaves it any more.
 */
final class RunningLoop {
  /** Fine enough for probes every second. */
  private static final Duration BEAT = Duration.ofMillis(250);

  private static final Logger LOG = LoggerFactory.getLogger(RunningLoop.class);

  private final RegionLoop loop;
  private final Time time;
  private final SteadyTime clock;
  private final Inbox inbox;
  private final EffectRunner runner;
  private final Consumer<String> onEnd;
  private volatile Memory memory = Memory.NONE;
  private volatile boolean stopped;
  private Time.@Nullable Timer beat;

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
    Time.Timer pending = beat;
    if (pending != null) pending.cancel();
  }

  int acting() {
    return runner.acting();
  }

  Memory memory() {
    return memory;
  }

  private void beat() {
    if (stopped) return;
    inbox.put(new Event.Beat());
    beat = time.after(BEAT, this::beat);
  }

  @SuppressWarnings("IllegalCatch") // a loop that breaks must end loudly, not silently
  private void hear(Event event) {
    if (stopped) return;
    try {
      for (Effect effect : loop.on(event, clock.now())) runner.run(effect);
      if (isWorthRemembering(event)) memory = loop.memory();
      if (event instanceof Event.MandateLost lost) end(lost.why());
    } catch (RuntimeException broken) {
      LOG.atError().setCause(broken).addKeyValue("event", event).log("a loop broke");
      runner.run(new Effect.Breach("loop_broke"));
      end("it broke: " + broken);
    }
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
