// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import cupbear.scheduler.app.Answer;
import cupbear.scheduler.app.Assignments;
import cupbear.scheduler.app.GrantMemory;
import cupbear.scheduler.app.Pools;
import cupbear.scheduler.app.Ports;
import cupbear.scheduler.app.RegionBoard;
import cupbear.scheduler.app.SessionRequest;
import cupbear.scheduler.app.Supervisor;
import cupbear.scheduler.app.Waiting;
import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.ReplicaId;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionResult;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** One scheduler process with everything real in it, from the front door to the last loop. */
final class SimScheduler implements FrontDoor {
  private final SimProcess process;
  private final SimProbes probes;
  private final Pools pools;
  private final Supervisor supervisor;
  private final Assignments assignments;

  SimScheduler(Agenda agenda, SimProcess process, SimProbes probes, Ports ports, SimPool pool) {
    this.process = process;
    this.probes = probes;
    this.pools = new Pools(List.of(pool.spec()));
    GrantMemory memory = new GrantMemory(process.time());
    RegionBoard board = new RegionBoard(process.time());
    Threads threads = new Threads(agenda, process);
    this.supervisor =
        new Supervisor(new ReplicaId(process.name()), pools, ports, threads, memory, board);
    this.assignments = new Assignments(pools, ports, memory, board);
  }

  SimProcess process() {
    return process;
  }

  SimProbes probes() {
    return probes;
  }

  void start() {
    process.enter(supervisor::start);
  }

  /** A new declaration, as a reload of the settings brings it. */
  void declare(SimPool pool) {
    process.enter(() -> {
      pools.swap(List.of(pool.spec()));
      supervisor.declared();
    });
  }

  /** SIGTERM. */
  void drain(Runnable then) {
    process.enter(() -> supervisor.drain().onComplete(any -> then.run()));
  }

  void hint(Region region, double perSecond, Duration holds) {
    process.enter(() -> supervisor.hint(SimPool.NAME, region, perSecond, holds));
  }

  @Override
  public Runnable assign(Ask ask, Consumer<FrontDoor.Reply> answer) {
    SessionRequest request =
        new SessionRequest(
            SimPool.NAME,
            ask.regions(),
            null,
            ask.tenant(),
            ask.patience(),
            Map.of(),
            ask.key(),
            ask.body());
    Waiting waiting = assignments.assign(request, ask.caller());
    waiting.answer().onSuccess(value -> answer.accept(inWords(value)));
    return waiting::cancel;
  }

  private static FrontDoor.Reply inWords(Answer answer) {
    String why = answer.getClass().getSimpleName();
    return switch (answer) {
      case Answer.Assigned assigned ->
          new FrontDoor.Reply.Granted(assigned.grant(), assigned.replayed());
      case Answer.NoCapacity no -> new FrontDoor.Reply.No(why, true, no.retryAfter());
      case Answer.QueueFull no -> new FrontDoor.Reply.No(why, true, no.retryAfter());
      case Answer.Recovering no -> new FrontDoor.Reply.No(why, true, no.retryAfter());
      case Answer.StoreDown no -> new FrontDoor.Reply.No(why, true, no.retryAfter());
      case Answer.KeyReused no -> new FrontDoor.Reply.No(why, false, null);
      case Answer.KeySpent no -> new FrontDoor.Reply.No(why, false, null);
      case Answer.BadRequest no -> new FrontDoor.Reply.No(why + " " + no.why(), false, null);
      case Answer.HungUp no -> new FrontDoor.Reply.No(why, false, null);
    };
  }

  @Override
  public void confirm(Caller caller, SessionId session, Consumer<FrontDoor.Reply> answer) {
    tell(assignments.confirm(SimPool.NAME, session, caller), answer);
  }

  @Override
  public void renew(
      Caller caller,
      SessionId session,
      Epoch epoch,
      Grant receipt,
      Consumer<FrontDoor.Reply> answer) {
    tell(assignments.renew(SimPool.NAME, session, caller, epoch, receipt), answer);
  }

  @Override
  public void release(Caller caller, SessionId session, Consumer<FrontDoor.Reply> answer) {
    tell(assignments.release(SimPool.NAME, session, caller), answer);
  }

  @Override
  public void fail(
      Caller caller,
      SessionId session,
      Epoch epoch,
      boolean replace,
      Consumer<FrontDoor.Reply> answer) {
    hear(
        assignments
            .fail(SimPool.NAME, session, caller, epoch, "black screen", replace)
            .map(SimScheduler::inWords),
        answer);
  }

  private static FrontDoor.Reply inWords(Assignments.Failed failed) {
    Answer instead = failed.replacement();
    return instead == null
        ? new FrontDoor.Reply.Told(failed.result())
        : new FrontDoor.Reply.Replaced(failed.result(), inWords(instead));
  }

  private static void tell(Future<SessionResult> result, Consumer<FrontDoor.Reply> answer) {
    hear(result.map(FrontDoor.Reply.Told::new), answer);
  }

  private static void hear(
      Future<? extends FrontDoor.Reply> reply, Consumer<FrontDoor.Reply> answer) {
    reply
        .onSuccess(answer::accept)
        .onFailure(
            cause -> answer.accept(new FrontDoor.Reply.No(String.valueOf(cause), true, null)));
  }

  /** One event loop per process: whatever is handed over runs as an event of its own. */
  private record Threads(Agenda agenda, SimProcess process) implements Supervisor.Threads {
    @Override
    public Executor home() {
      return work -> agenda.after(Duration.ZERO, () -> process.enter(work));
    }

    @Override
    public Executor loop(PoolName pool, Region region) {
      return home();
    }
  }
}
