// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.core.Freshness;
import cupbear.scheduler.model.ClaimRequest;
import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionView;
import cupbear.scheduler.model.Verdict;
import cupbear.scheduler.model.WaitResult;
import cupbear.scheduler.model.Waiter;
import cupbear.scheduler.port.Claims.SessionCall;
import cupbear.scheduler.port.Probes;
import cupbear.scheduler.port.Time;
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
  private static final Duration PROBE_LEAST = Duration.ofSeconds(1);
  private static final Duration PROBE_MOST = Duration.ofSeconds(3);

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
  private final Promise<Answer> promise = Promise.promise();
  private final long beganNanos;
  private final Duration patience;
  private String key;
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
    this.beganNanos = ports.time().nanos();
    this.key = ask.request().key();
    this.proposed = proposed;
    this.patience = ask.patience();
  }

  @Override
  public Future<Answer> answer() {
    return promise.future();
  }

  @Override
  public void cancel() {
    Waiter place;
    synchronized (this) {
      place = waiter;
    }
    if (finish(new Answer.HungUp()) && place != null) giveBack(place);
  }

  void start() {
    if (room.isFull()) {
      finish(new Answer.QueueFull(ask.retryAfter()));
      return;
    }
    synchronized (this) {
      latest = ports.time().after(patience.plus(LATEST), this::tooLate);
    }
    claim();
  }

  /** Whatever we are waiting for has not come: an answer is owed all the same. */
  private void tooLate() {
    Waiter place;
    synchronized (this) {
      place = waiter == null ? proposed : waiter;
    }
    if (finish(Ask.storeDown())) giveBack(place);
  }

  // ---- claiming

  private void claim() {
    ClaimRequest claim;
    synchronized (this) {
      claim = ask.claim(key, proposed, left());
    }
    deadlines
        .within(STORE_WITHIN, "claim", () -> ports.claims().claim(claim))
        .onComplete((result, failure) -> {
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
      case ClaimResult.KeySpent spent -> spent(spent.session());
      case ClaimResult.Recovering wait -> finish(new Answer.Recovering(wait.retryAfter()));
    }
  }

  /** Nobody knows whether it was done: the same again, for as long as the caller has time. */
  private void notClaimed(Throwable failure, ClaimRequest claim) {
    if (promise.future().isComplete()) {
      giveBack(claim.proposed());
    } else if (!Assignments.isUnsure(failure)) {
      finish(Ask.withoutStore(failure));
    } else if (left().isZero()) {
      if (finish(Ask.storeDown())) giveBack(claim.proposed());
    } else {
      ports.time().after(ASK_AGAIN, this::claim);
    }
  }

  /** A session that ended before anything was delivered has a successor under the next key. */
  private void spent(SessionId session) {
    deadlines
        .within(STORE_WITHIN, "session", () -> ports.claims().session(pool(), session))
        .onComplete((view, failure) -> {
          if (failure != null) finish(Ask.withoutStore(failure));
          else if (view.filter(AssignCall::wasNeverUsed).isPresent()) tryNext();
          else finish(new Answer.KeySpent(session));
        });
  }

  private static boolean wasNeverUsed(SessionView view) {
    return view.ended() == SessionView.Ended.FAILED && view.confirmedAt() == null;
  }

  private void tryNext() {
    synchronized (this) {
      if (++tries >= TRIES) {
        finish(ask.noCapacity());
        return;
      }
      key = Requests.nextKey(key);
      proposed = new Waiter(ports.ids().session(pool()), ports.ids().mark());
    }
    claim();
  }

  // ---- waiting

  private void enqueue(Waiter place) {
    synchronized (this) {
      waiter = place;
      deadline = ports.time().after(left(), () -> timeIsUp(place));
    }
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
        if (left().isZero()) finish(ask.noCapacity());
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
    var serving = ask.pool().serving();
    Freshness fresh = new Freshness(serving.guacdTrust(), serving.rdpTrust());
    switch (replayed ? Freshness.Lack.NOTHING : fresh.lackOf(grant.proof(), grant.grantedAt())) {
      case NOTHING -> deliver(grant, replayed);
      case GUACD -> check(grant, Probes.Depth.GUACD);
      case RDP -> check(grant, Probes.Depth.FULL);
    }
  }

  private void deliver(Grant grant, boolean replayed) {
    boolean delivered = finish(new Answer.Assigned(grant, replayed, elapsed()));
    if (!delivered && !replayed) giveBack(new Waiter(grant.session(), mark()));
  }

  /** The proof is old: one quick look, inside the caller's time. */
  private void check(Grant grant, Probes.Depth depth) {
    Duration most = left().compareTo(PROBE_MOST) > 0 ? PROBE_MOST : left();
    if (most.compareTo(PROBE_LEAST) < 0) most = PROBE_LEAST;
    deadlines
        .within(
            most,
            "probe",
            () -> ports.probes().probe(pool(), grant.machine(), grant.address(), depth))
        .recover(late ->
            Future.succeededFuture(
                new Probes.Answer(Verdict.STRIKE, depth, "" + late.getMessage())))
        .onSuccess(answer -> {
          ports.meters().probed(pool(), grant.region(), answer.verdict(), elapsed());
          switch (answer.verdict()) {
            // A prober that cannot ask says nothing against a Machine that was proven.
            case HEALTHY, PROBER_FAULT -> deliver(grant, false);
            case STRIKE, MISCONFIGURED -> noGood(grant, answer.detail());
          }
        });
  }

  /** Another call with the same key may have delivered it meanwhile: then it is its gateway's. */
  private void noGood(Grant grant, String detail) {
    deadlines
        .within(STORE_WITHIN, "session", () -> ports.claims().session(pool(), grant.session()))
        .onComplete((view, failure) -> {
          boolean told = failure == null && view.isPresent() && view.get().confirmedAt() != null;
          if (told) deliver(grant, true);
          else giveUp(grant, detail);
        });
  }

  private void giveUp(Grant grant, String detail) {
    SessionCall call = new SessionCall(pool(), grant.session(), ask.caller(), ask.pool().terms());
    memory.forget(grant.session());
    deadlines
        .within(
            STORE_WITHIN,
            "fail",
            () -> ports.claims().fail(call, "probe before hand-over: " + detail))
        .onComplete((result, failure) -> {
          Waiter place;
          synchronized (this) {
            place = waiter;
          }
          if (place != null) stopWaiting(place);
          if (failure != null) finish(Ask.withoutStore(failure));
          else if (left().isZero()) finish(ask.noCapacity());
          else if (!promise.future().isComplete()) tryNext();
        });
  }

  // ---- ending

  private boolean finish(Answer answer) {
    if (!promise.tryComplete(answer)) return false;
    dismiss();
    synchronized (this) {
      if (latest != null) latest.cancel();
    }
    Region region =
        answer instanceof Answer.Assigned assigned
            ? assigned.grant().region()
            : ask.regions().getFirst();
    ports.meters().assigned(pool(), region, answer.outcome(), elapsed());
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

  private Duration elapsed() {
    return Duration.ofNanos(ports.time().nanos() - beganNanos);
  }

  private Duration left() {
    Duration rest = patience.minus(elapsed());
    return rest.isNegative() ? Duration.ZERO : rest;
  }
}
