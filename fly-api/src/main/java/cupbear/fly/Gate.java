// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Lets calls through at Fly's pace and within the in-flight budget: urgent ones first, then by
 * arrival, each no later than its deadline. Owned by the client's loop. All it can lose is the
 * memory of past calls, and Fly would remind us with a 429.
 */
final class Gate {

  /** What a pace is kept for. */
  record Key(Action action, String id) {}

  /** Told once, one way or the other. */
  interface Waiter {
    void go();

    void tooLate(String why);
  }

  private record Waiting(Key key, Urgency urgency, long deadline, Waiter waiter) {}

  /** Above this many, buckets that are full again are forgotten. */
  private static final int BUCKETS = 4096;

  private final FlyConfig.Pacing pacing;
  private final FlyTime time;
  private final Executor loop;
  private final Map<Key, Bucket> buckets = new HashMap<>();
  private final Deque<Waiting> urgent = new ArrayDeque<>();
  private final Deque<Waiting> routine = new ArrayDeque<>();
  private int inFlight;
  private int longPolls;
  private FlyTime.@Nullable Timer alarm;

  Gate(FlyConfig.Pacing pacing, FlyTime time, Executor loop) {
    this.pacing = pacing;
    this.time = time;
    this.loop = loop;
  }

  void enter(Key key, Urgency urgency, long deadline, Waiter waiter) {
    if (urgent.size() + routine.size() >= pacing.waiting()) {
      waiter.tooLate(pacing.waiting() + " calls wait already");
      return;
    }
    queue(urgency).add(new Waiting(key, urgency, deadline, waiter));
    pump();
  }

  /** A call that was let through is over. */
  void leave(Action action) {
    if (action.isLongPoll()) {
      longPolls--;
    } else {
      inFlight--;
    }
    pump();
  }

  /** Fly answered 429. */
  void refused(Key key) {
    buckets.put(key, bucket(key).refused(time.nanos()));
  }

  int waiting() {
    return urgent.size() + routine.size();
  }

  int inFlight() {
    return inFlight;
  }

  /** Turns away everybody who waits. */
  void close() {
    List<Waiting> all = new ArrayList<>(urgent);
    all.addAll(routine);
    urgent.clear();
    routine.clear();
    rest();
    all.forEach(each -> each.waiter().tooLate("the client was closed"));
  }

  private Deque<Waiting> queue(Urgency urgency) {
    return switch (urgency) {
      case URGENT -> urgent;
      case ROUTINE -> routine;
    };
  }

  /** Lets through whoever may go, then sets the alarm for the next who might. */
  private void pump() {
    long now = time.nanos();
    Set<Key> behind = new HashSet<>();
    List<Runnable> told = new ArrayList<>();
    long next = Math.min(pass(urgent, now, behind, told), pass(routine, now, behind, told));
    rest();
    if (next != Long.MAX_VALUE) {
      Duration delay = Duration.ofNanos(Math.max(0, next));
      alarm = time.after(delay, () -> loop.execute(this::pump));
    }
    if (buckets.size() > BUCKETS) {
      buckets.values().removeIf(bucket -> bucket.isFull(now));
    }
    told.forEach(Runnable::run);
  }

  /** Answers in how many nanoseconds somebody of this queue has something to hope or to fear. */
  private long pass(Deque<Waiting> queue, long now, Set<Key> behind, List<Runnable> told) {
    long next = Long.MAX_VALUE;
    for (Iterator<Waiting> all = queue.iterator(); all.hasNext(); ) {
      Waiting each = all.next();
      if (now - each.deadline() >= 0) {
        all.remove();
        told.add(() -> each.waiter().tooLate("no turn in time"));
        continue;
      }
      if (!behind.contains(each.key()) && admit(each, now)) {
        all.remove();
        told.add(each.waiter()::go);
        continue;
      }
      // Whoever comes later for the same key stays behind: nobody is overtaken by his equals.
      boolean first = behind.add(each.key());
      next = Math.min(next, each.deadline() - now);
      if (first && hasPlace(each)) {
        next = Math.min(next, bucket(each.key()).readyIn(each.urgency(), now).toNanos());
      }
    }
    return next;
  }

  private boolean admit(Waiting each, long now) {
    if (!hasPlace(each)) {
      return false;
    }
    Optional<Bucket> taken = bucket(each.key()).take(each.urgency(), now);
    taken.ifPresent(bucket -> {
      buckets.put(each.key(), bucket);
      if (each.key().action().isLongPoll()) {
        longPolls++;
      } else {
        inFlight++;
      }
    });
    return taken.isPresent();
  }

  private boolean hasPlace(Waiting each) {
    if (each.key().action().isLongPoll()) {
      return longPolls < pacing.longPolls();
    }
    return switch (each.urgency()) {
      case URGENT -> inFlight < pacing.inFlight();
      case ROUTINE -> inFlight < pacing.inFlight() - pacing.keptForUrgent();
    };
  }

  private Bucket bucket(Key key) {
    Bucket known = buckets.get(key);
    return known != null ? known : Bucket.full(pacing.rateOf(key.action()), time.nanos());
  }

  private void rest() {
    if (alarm != null) {
      alarm.cancel();
      alarm = null;
    }
  }
}
