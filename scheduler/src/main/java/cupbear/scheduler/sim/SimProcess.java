// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import cupbear.scheduler.port.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * One operating-system process: it can be frozen (everything that would reach it waits, in order),
 * thawed, killed, and its wall clock can jump. Whatever enters a scheduler comes through here.
 */
final class SimProcess {
  private final Agenda agenda;
  private final String name;
  private final Deque<Runnable> backlog = new ArrayDeque<>();
  private final SimTime time = new SimTime();
  private Duration skew = Duration.ZERO;
  private boolean frozen;
  private long frozenLast = -1;
  private boolean dead;

  SimProcess(Agenda agenda, String name) {
    this.agenda = agenda;
    this.name = name;
  }

  String name() {
    return name;
  }

  Time time() {
    return time;
  }

  boolean isAlive() {
    return !dead;
  }

  boolean isFrozen() {
    return frozen;
  }

  /** Runs it in this process: now, or once thawed, or never. */
  void enter(Runnable work) {
    if (dead) return;
    if (frozen || !backlog.isEmpty()) backlog.add(work);
    else work.run();
  }

  void freeze() {
    frozen = true;
  }

  /** It stood still at some moment within this time. */
  boolean wasFrozenWithin(Duration time) {
    return frozen
        || !backlog.isEmpty()
        || (frozenLast >= 0 && agenda.nanos() - frozenLast <= time.toNanos());
  }

  /** All that piled up is worked off one event at a time, in the order of its arrival. */
  void thaw() {
    if (!frozen) return;
    frozen = false;
    frozenLast = agenda.nanos();
    agenda.after(Duration.ZERO, this::catchUp);
  }

  private void catchUp() {
    if (frozen || dead) return;
    Runnable next = backlog.peek();
    if (next == null) return;
    next.run();
    backlog.poll();
    if (!backlog.isEmpty()) agenda.after(Duration.ZERO, this::catchUp);
  }

  void kill() {
    dead = true;
    backlog.clear();
  }

  void jump(Duration by) {
    skew = skew.plus(by);
  }

  void setClockRight() {
    skew = Duration.ZERO;
  }

  /** The clocks and timers of this process. The monotonic one neither jumps nor stands still. */
  private final class SimTime implements Time {
    @Override
    public Instant now() {
      return agenda.now().plus(skew);
    }

    @Override
    public long nanos() {
      return agenda.nanos();
    }

    @Override
    public Timer after(Duration delay, Runnable then) {
      SimTimer timer = new SimTimer(then);
      timer.event = agenda.after(delay, () -> enter(timer::fire));
      return timer;
    }
  }

  /** A timer that can still be cancelled while its process is frozen past its hour. */
  private static final class SimTimer implements Time.Timer {
    private final Runnable then;
    private Agenda.@org.jspecify.annotations.Nullable Event event;
    private boolean cancelled;

    private SimTimer(Runnable then) {
      this.then = then;
    }

    private void fire() {
      if (!cancelled) then.run();
    }

    @Override
    public void cancel() {
      cancelled = true;
      if (event != null) event.cancel();
    }
  }
}
