// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.loop.Effect;
import cupbear.scheduler.loop.Ending;
import cupbear.scheduler.loop.Event;
import cupbear.scheduler.loop.Task;
import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.ActionKind;
import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.Listed;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.ProveResult;
import cupbear.scheduler.model.Reserve;
import cupbear.scheduler.model.SessionView;
import cupbear.scheduler.model.Snapshot;
import cupbear.scheduler.model.Verdict;
import cupbear.scheduler.port.Machines;
import cupbear.scheduler.port.Machines.AppList;
import cupbear.scheduler.port.Meters;
import cupbear.scheduler.port.Probes;
import cupbear.scheduler.port.StoreTrouble;
import cupbear.scheduler.trace.Span;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Performs the effects of one loop over the ports. Every ending, be it a value, a failure or
 * silence, goes back to the loop as an event. Any thread; holds nothing but a count of what is
 * under way.
 */
public final class EffectRunner {
  private static final Duration LIST_WITHIN = Duration.ofSeconds(10);
  private static final Duration STORE_WITHIN = Duration.ofSeconds(5);

  /** The prober has its own, shorter deadlines. */
  private static final Duration PROBE_WITHIN = Duration.ofSeconds(45);

  /** Longer than Fly holds a long poll. */
  private static final Duration WATCH_WITHIN = Duration.ofSeconds(90);

  private final Tenure tenure;
  private final Ports ports;
  private final Machines machines;
  private final Lister lister;
  private final RegionBoard board;
  private final Supplier<PoolSpec> pool;
  private final Consumer<Event> sink;
  private final Deadlines deadlines;
  private final StoreSteps store;
  private final Workshop workshop;
  private final AtomicInteger acting = new AtomicInteger();

  EffectRunner(
      Tenure tenure,
      Ports ports,
      Supplier<PoolSpec> pool,
      Lister lister,
      RegionBoard board,
      Consumer<Event> sink) {
    this.tenure = tenure;
    this.ports = ports;
    this.pool = pool;
    this.lister = lister;
    this.board = board;
    this.sink = sink;
    this.machines = ports.machines(pool.get().app());
    this.deadlines = new Deadlines(ports.time());
    this.store = new StoreSteps(ports.book(), tenure, deadlines);
    this.workshop = new Workshop(tenure, ports, pool, store, deadlines);
  }

  void run(Effect effect) {
    switch (effect) {
      case Effect.Observe any -> observe();
      case Effect.Perform perform -> perform(perform.task());
      case Effect.Probe probe -> probe(probe);
      case Effect.Prove prove -> prove(prove);
      case Effect.Vouch vouch -> vouch(vouch);
      case Effect.Look look -> look(look.machines());
      case Effect.Watch watch -> watch(watch.machine());
      case Effect.Expire any -> expire();
      case Effect.LookAtStore any -> lookAtStore();
      case Effect.Report report -> report(report);
      case Effect.Note note -> note(note.entries());
      case Effect.Publish publish -> publish(publish);
      case Effect.Breach breach -> breach(breach.what());
    }
  }

  /** Tasks that have not ended yet. */
  int acting() {
    return acting.get();
  }

  private void observe() {
    long began = ports.time().nanos();
    Future<AppList> list = deadlines.within(LIST_WITHIN, "list", lister::list);
    Future<Snapshot> snapshot =
        deadlines.within(
            STORE_WITHIN,
            "snapshot",
            () -> ports.book().snapshot(mandate().pool(), mandate().region()));
    Future.join(list, snapshot)
        .onComplete((any, failure) -> {
          ports.meters().observed(mandate().pool(), mandate().region(), since(began), list.cause());
          sink.accept(
              new Event.Seen(
                  list.succeeded() ? list.result() : null,
                  snapshot.succeeded() ? snapshot.result() : null,
                  isRebuilding(snapshot)));
        });
  }

  private static boolean isRebuilding(Future<Snapshot> snapshot) {
    return snapshot.failed()
        && snapshot.cause() instanceof StoreTrouble trouble
        && trouble.kind() == StoreTrouble.Kind.RECOVERING;
  }

  private void perform(Task task) {
    acting.incrementAndGet();
    long began = ports.time().nanos();
    Span span = ports.meters().tracing().action(mandate(), task.action());
    workshop
        .perform(task)
        .onComplete((ending, failure) -> {
          acting.decrementAndGet();
          Ending ended = failure == null ? ending : new Ending.TimedOut("broke: " + failure);
          span.with("cupbear.outcome", ended.word()).end();
          count(task, ended, since(began), span.traceId());
          sink.accept(new Event.Outcome(task, ended));
          if (ended instanceof Ending.NotLeading) notLeading("a task was refused");
        });
  }

  private void count(Task task, Ending ending, Duration took, String traceId) {
    Action action = task.action();
    Meters meters = ports.meters();
    meters.acted(
        new Meters.Acted(mandate(), action, ending.word(), trouble(ending), took, traceId));
    boolean givenUp =
        action.kind() == ActionKind.LOSE
            || (action instanceof Action.Destroy destroy && destroy.reserve() == Reserve.CONDEMN);
    if (givenUp && ending instanceof Ending.Done) {
      meters.replaced(mandate().pool(), mandate().region(), action.why().reason());
    }
  }

  private static String trouble(Ending ending) {
    return switch (ending) {
      case Ending.Done any -> "";
      case Ending.NotLeading any -> "";
      case Ending.Refused refused -> refused.why();
      case Ending.FlyFailed failed -> failed.kind() + ": " + failed.why();
      case Ending.StoreFailed failed -> failed.kind() + ": " + failed.why();
      case Ending.CommandFailed failed -> failed.why();
      case Ending.TimedOut late -> late.why();
    };
  }

  private void probe(Effect.Probe probe) {
    long began = ports.time().nanos();
    deadlines
        .within(
            PROBE_WITHIN,
            "probe",
            () ->
                ports
                    .probes()
                    .probe(mandate().pool(), probe.machine(), probe.address(), probe.depth()))
        .recover(failure ->
            Future.succeededFuture(
                new Probes.Answer(Verdict.PROBER_FAULT, probe.depth(), "" + failure.getMessage())))
        .onSuccess(answer -> {
          Duration took = since(began);
          ports
              .meters()
              .probed(mandate().pool(), mandate().region(), probe.machine(), answer, took);
          sink.accept(new Event.Probed(probe.machine(), probe.bootedAt(), answer, took));
        });
  }

  private void prove(Effect.Prove prove) {
    store
        .step(
            "prove", () -> ports.book().prove(tenure.mandate(), prove.proof(), pool.get().terms()))
        .onComplete((result, failure) -> {
          boolean ready =
              result instanceof ProveResult.Warm || result instanceof ProveResult.Granted;
          if (ready) ports.meters().proven(mandate(), prove.proof().machine());
          sink.accept(new Event.Proved(prove.proof(), result, message(failure)));
          checkFence(failure);
        });
  }

  private void vouch(Effect.Vouch vouch) {
    deadlines
        .within(STORE_WITHIN, "vouch", () -> ports.book().vouch(tenure.mandate(), vouch.proofs()))
        .onComplete((any, failure) -> {
          sink.accept(new Event.Vouched(failure == null));
          checkFence(failure);
        });
  }

  private void expire() {
    deadlines
        .within(
            STORE_WITHIN, "expire", () -> ports.book().expire(tenure.mandate(), pool.get().terms()))
        .onComplete((ended, failure) -> {
          sink.accept(new Event.Expired(failure == null ? ended.size() : 0));
          if (failure == null) ended.forEach(this::ranOut);
          checkFence(failure);
        });
  }

  private void ranOut(SessionView session) {
    String how = session.ended() == null ? "expired" : word(session.ended());
    ports.meters().ended(mandate().pool(), session.session(), session.grant(), how);
  }

  private static String word(SessionView.Ended how) {
    return how.name().toLowerCase(Locale.ROOT);
  }

  private void look(List<MachineId> sample) {
    Map<MachineId, Listed> found = new ConcurrentHashMap<>();
    var looks =
        sample.stream()
            .map(machine ->
                deadlines
                    .within(LIST_WITHIN, "look", () -> machines.look(machine))
                    .onSuccess(seen -> seen.ifPresent(listed -> found.put(machine, listed))))
            .toList();
    Future.join(looks)
        .onComplete((any, failure) -> sink.accept(new Event.Looked(found, failure == null)));
  }

  private void watch(MachineId machine) {
    deadlines
        .within(WATCH_WITHIN, "watch", () -> machines.awaitDown(machine))
        .onComplete((down, failure) ->
            sink.accept(new Event.Watched(machine, failure == null ? down.orElse(null) : null)));
  }

  private void lookAtStore() {
    deadlines
        .within(STORE_WITHIN, "state", () -> ports.recovery().state(mandate().pool()))
        .onSuccess(state -> sink.accept(new Event.StoreLooked(state, true)));
  }

  private void report(Effect.Report report) {
    deadlines
        .within(
            STORE_WITHIN,
            "report",
            () -> ports.recovery().report(tenure.mandate(), report.report()))
        .onSuccess(state -> sink.accept(new Event.Reported(state)))
        .onFailure(this::checkFence);
  }

  private void note(List<Entry> entries) {
    ports.journal().append(mandate().pool(), entries);
    entries.forEach(ports.meters()::noted);
  }

  private void publish(Effect.Publish publish) {
    board.publish(publish.status(), publish.plan());
    ports.meters().planned(mandate().pool(), mandate().region(), publish.plan());
  }

  private void breach(String what) {
    ports.meters().breach(mandate().pool(), mandate().region(), what);
  }

  private void checkFence(@Nullable Throwable failure) {
    boolean fenced =
        failure instanceof StoreTrouble trouble && trouble.kind() == StoreTrouble.Kind.FENCED;
    if (!fenced) return;
    ports.meters().fenced(mandate());
    notLeading(message(failure));
  }

  private void notLeading(String why) {
    tenure.end();
    sink.accept(new Event.MandateLost(why));
  }

  private Duration since(long beganNanos) {
    return Duration.ofNanos(ports.time().nanos() - beganNanos);
  }

  private Mandate mandate() {
    return tenure.mandate();
  }

  private static String message(@Nullable Throwable failure) {
    return failure == null ? "" : "" + failure.getMessage();
  }
}
