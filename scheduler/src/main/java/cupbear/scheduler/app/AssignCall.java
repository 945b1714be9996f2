// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.model.ClaimRequest;
import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.WaitResult;
import cupbear.scheduler.model.Waiter;
import cupbear.scheduler.port.Time;
import cupbear.scheduler.trace.Span;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One session request on its way. Answers and words come on any thread; the first that completes
 * the promise is the answer, and what comes after it is given back. The store decides all races.
 */
final class AssignCall implements Waiting, WaitingRoom.Guest {
  private static final Duration STORE_WITHIN = Duration.ofSeconds(2);

  /** The backstop for a lost word. */
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  /** A store that does not know is asked again so soon. */
  private static final Duration ASK_AGAIN = Duration.ofMillis(50);

  /** Beyond the caller's time: for the store to say how it ended, and for a last probe. */
  private static final Duration LATEST = Duration.ofSeconds(3);

  /** Machines that failed at the door; after so many the caller should come again. */
  private static final int TRIES = 4;

  private final Ask ask;
  private final Ports ports;
  private final Deadlines deadlines;
  private final WaitingRoom room;
  private final GrantMemory memory;
  private final DoorCheck door;
  private final Promise<Answer> promise = Promise.promise();
  private final Stopwatch clock;
  private final AssignSpans spans;
  private Waiter proposed;
  private int tries;
  private @Nullable Waiter waiter;
  private Time.@Nullable Timer look;
  private Time.@Nullable Timer deadline;
  private Time.@Nullable Timer latest;
  private @Nullable SessionId checking;

  AssignCall(
      Ask ask,
      Waiter proposed,
      Ports ports,
      Deadlines deadlines,
      WaitingRoom room,
      GrantMemory memory) {
    this.ask = ask;
    this.ports = ports;
    this.deadlines = deadlines;
    this.room = room;
    this.memory = memory;
    this.clock = Stopwatch.start(ports.time(), ask.patience());
    this.spans = new AssignSpans(ask.span());
    this.door = new DoorCheck(ask, ports, deadlines, clock, spans);
    this.proposed = proposed;
  }

  @Override
  public Future<Answer> answer() {
    return promise.future();
  }

  @Override
  public void cancel() {
    if (!finish(new Answer.HungUp())) return;
    // Whoever is on the way to the queue now sees that it is over, and gives its place back itself.
    Waiter place;
    synchronized (this) {
      place = waiter;
    }
    if (place != null) giveBack(place);
  }

  void start() {
    if (room.isFull()) {
      finish(new Answer.QueueFull(ask.retryAfter()));
      return;
    }
    synchronized (this) {
      latest = ports.time().after(clock.patience().plus(LATEST), this::tooLate);
    }
    claim();
  }

  /** Whatever we are waiting for has not come: an answer is owed all the same. */
  private void tooLate() {
    if (!finish(Ask.storeDown())) return;
    Waiter place;
    synchronized (this) {
      place = waiter == null ? proposed : waiter;
    }
    giveBack(place);
  }

  // ---- claiming

  private void claim() {
    ClaimRequest claim;
    synchronized (this) {
      claim = ask.claim(proposed, clock.left());
    }
    Span span = spans.claiming();
    deadlines
        .within(STORE_WITHIN, "claim", () -> ports.claims().claim(claim))
        .onComplete((result, failure) -> {
          AssignSpans.claimed(span, result, failure);
          if (failure == null) claimed(result, claim);
          else notClaimed(failure, claim);
        });
  }

  private void claimed(ClaimResult result, ClaimRequest claim) {
    boolean gone = promise.future().isComplete();
    switch (result) {
      case ClaimResult.Granted granted -> {
        boolean ours = granted.grant().session().equals(claim.proposed().session());
        if (!gone) granted(granted.grant(), granted.replayed() && !ours);
        else if (ours) giveBack(claim.proposed());
      }
      case ClaimResult.Queued queued -> {
        if (gone) giveBack(queued.waiter());
        else enqueue(queued.waiter());
      }
      case ClaimResult.NoneWarm any -> finish(ask.noCapacity());
      case ClaimResult.QueueFull any -> finish(new Answer.QueueFull(ask.retryAfter()));
      case ClaimResult.KeyReused any -> finish(new Answer.KeyReused());
      case ClaimResult.KeySpent spent -> finish(new Answer.KeySpent(spent.session()));
      case ClaimResult.Recovering wait -> finish(new Answer.Recovering(wait.retryAfter()));
    }
  }

  /** Nobody knows whether it was done: the same again, for as long as the caller has time. */
  private void notClaimed(Throwable failure, ClaimRequest claim) {
    if (promise.future().isComplete()) {
      giveBack(claim.proposed());
    } else if (!Assignments.isUnsure(failure)) {
      finish(Ask.withoutStore(failure));
    } else if (clock.left().isZero()) {
      if (finish(Ask.storeDown())) giveBack(claim.proposed());
    } else {
      ports.time().after(ASK_AGAIN, this::claim);
    }
  }

  /** The last one was no good and nothing was delivered: the key is free for another. */
  private void tryNext() {
    synchronized (this) {
      if (++tries >= TRIES) {
        finish(ask.noCapacity());
        return;
      }
      proposed = new Waiter(ports.ids().session(pool()), ports.ids().mark());
    }
    claim();
  }

  // ---- waiting

  private void enqueue(Waiter place) {
    boolean gone;
    synchronized (this) {
      gone = promise.future().isComplete();
      if (!gone) {
        waiter = place;
        deadline = ports.time().after(clock.left(), () -> timeIsUp(place));
      }
    }
    if (gone) {
      giveBack(place);
      return;
    }
    spans.waiting();
    lookLater(place);
    room.enter(place.session(), this);
    if (promise.future().isComplete()) dismiss();
  }

  private void lookLater(Waiter place) {
    synchronized (this) {
      if (!promise.future().isComplete() && place.equals(waiter)) {
        look = ports.time().after(LOOK_EVERY, () -> lookNow(place));
      }
    }
  }

  private void lookNow(Waiter place) {
    deadlines
        .within(STORE_WITHIN, "look", () -> ports.claims().look(pool(), place))
        .onComplete((result, failure) -> {
          if (failure != null || result instanceof WaitResult.StillWaiting) lookLater(place);
          else waited(result, place);
        });
  }

  private void waited(WaitResult result, Waiter place) {
    switch (result) {
      case WaitResult.Granted granted -> granted(granted.grant(), false);
      case WaitResult.Unheard any -> {
        stopWaiting(place);
        if (clock.left().isZero()) finish(ask.noCapacity());
        else claim();
      }
      case WaitResult.StillWaiting any -> finish(ask.noCapacity());
      case WaitResult.Left any -> finish(ask.noCapacity());
      case WaitResult.TakenBack any -> finish(ask.noCapacity());
      // A newer call with the same key has the place, and will have the answer.
      case WaitResult.Superseded any -> finish(ask.noCapacity());
    }
  }

  private void timeIsUp(Waiter place) {
    if (promise.future().isComplete()) return;
    deadlines
        .within(
            STORE_WITHIN,
            "leave",
            () -> ports.claims().leave(pool(), place, WaitResult.Leaving.DEADLINE))
        .onComplete((result, failure) -> {
          if (failure == null) waited(result, place);
          else if (!Assignments.isUnsure(failure)) finish(Ask.withoutStore(failure));
          else ports.time().after(ASK_AGAIN, () -> timeIsUp(place));
        });
  }

  private void stopWaiting(Waiter place) {
    synchronized (this) {
      if (place.equals(waiter)) waiter = null;
    }
    spans.waited();
    dismiss(place);
  }

  // ---- granted

  @Override
  public void word(Grant grant) {
    granted(grant, false);
  }

  /** The word, the look and the answer may all tell of the same grant; one of them is heard. */
  private void granted(Grant grant, boolean replayed) {
    synchronized (this) {
      if (promise.future().isComplete() || grant.session().equals(checking)) return;
      checking = grant.session();
    }
    memory.remember(grant);
    if (replayed) deliver(grant, true);
    else door.look(grant).onComplete((seen, failure) -> looked(grant, seen, failure));
  }

  private void looked(Grant grant, DoorCheck.@Nullable Outcome seen, @Nullable Throwable failure) {
    if (seen == null) {
      memory.forget(grant.session());
      finish(Ask.withoutStore(failure == null ? new Deadlines.Late("door") : failure));
      return;
    }
    switch (seen) {
      case FINE -> deliver(grant, false);
      case ANOTHER_HAS_IT -> deliver(grant, true);
      case NO_GOOD -> noGood(grant);
    }
  }

  private void deliver(Grant grant, boolean replayed) {
    boolean delivered = finish(new Answer.Assigned(grant, replayed, clock.elapsed()));
    if (!delivered && !replayed) giveBack(new Waiter(grant.session(), mark()));
  }

  private void noGood(Grant grant) {
    memory.forget(grant.session());
    Waiter place;
    synchronized (this) {
      place = waiter;
    }
    if (place != null) stopWaiting(place);
    if (clock.left().isZero()) finish(ask.noCapacity());
    else if (!promise.future().isComplete()) tryNext();
  }

  // ---- ending

  private boolean finish(Answer answer) {
    if (!promise.tryComplete(answer)) return false;
    dismiss();
    synchronized (this) {
      if (latest != null) latest.cancel();
    }
    spans.answered(answer, ports.meters().tracing());
    ports.meters().assigned(ask.served(answer, clock.elapsed()));
    return true;
  }

  private void dismiss() {
    Waiter place;
    synchronized (this) {
      place = waiter;
    }
    if (place != null) dismiss(place);
  }

  private void dismiss(Waiter place) {
    synchronized (this) {
      if (look != null) look.cancel();
      if (deadline != null) deadline.cancel();
    }
    room.leave(place.session(), this);
  }

  /** Nobody is there to hear it: the place is freed, or the Machine goes back. */
  private void giveBack(Waiter place) {
    giveBack(place, 3);
  }

  private void giveBack(Waiter place, int attempts) {
    memory.forget(place.session());
    deadlines
        .within(
            STORE_WITHIN,
            "leave",
            () -> ports.claims().leave(pool(), place, WaitResult.Leaving.HUNG_UP))
        .onFailure(failure -> {
          if (attempts > 1) ports.time().after(ASK_AGAIN, () -> giveBack(place, attempts - 1));
        });
  }

  private synchronized String mark() {
    return waiter == null ? proposed.mark() : waiter.mark();
  }

  private PoolName pool() {
    return ask.name();
  }
}
