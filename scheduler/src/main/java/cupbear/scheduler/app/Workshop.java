// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.loop.Ending;
import cupbear.scheduler.loop.Task;
import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Listed;
import cupbear.scheduler.model.LoseResult;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.Moved;
import cupbear.scheduler.port.FlyTrouble;
import cupbear.scheduler.port.Machines;
import cupbear.scheduler.port.Machines.Command;
import cupbear.scheduler.port.StoreTrouble;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries out tasks: the store's consent first, then Fly, then the store again where Fly's answer
 * has to be written down. Nothing reaches Fly without the store having said yes in this tenure.
 *
 * <p>Which order where something can get lost in between:
 *
 * <ul>
 *   <li><b>Destroy, drain, doubt, lose</b>: the store first, because a session could claim the
 *       Machine. Lost after that, the Machine is out of service, and the next pass goes on.
 *   <li><b>Create</b>: Fly first, because only Fly knows the id. Lost after that, the Machine is a
 *       stray with our tag and the name of our create; it is not made twice, and wiped before it
 *       serves.
 *   <li><b>Start</b>: Fly first, then the store. Lost after that, the store says parked and Fly
 *       says running, which the next pass puts right with a stop: nothing is wasted but a boot. The
 *       other way round a start that Fly refused would leave a Machine booked as coming up that
 *       never comes, and the boot deadline would destroy it. A parked Machine is wiped and nobody
 *       can claim it, so neither order is unsafe.
 *   <li><b>Stage</b>: the Machine first, then the store: credentials the store knows are on the
 *       Machine. Lost after that, others are made and overwrite them before it turns warm.
 *   <li><b>Teardown</b>: a step whose answer is lost has failed, and condemns the Machine.
 * </ul>
 */
final class Workshop {
  /** Fly's adapter has deadlines of its own; this one is for one that does not keep them. */
  private static final Duration FLY_WITHIN = Duration.ofSeconds(60);

  /** On top of a command's own deadline, for the way there and back. */
  private static final Duration EXEC_GRACE = Duration.ofSeconds(15);

  /** Fly's clock and the store's; further apart, a lost create costs a wipe and no more. */
  private static final Duration CLOCKS_APART = Duration.ofSeconds(15);

  private final Tenure tenure;
  private final Ports ports;
  private final Machines machines;
  private final Supplier<PoolSpec> pool;
  private final Deadlines deadlines;
  private final StoreSteps store;

  Workshop(
      Tenure tenure, Ports ports, Supplier<PoolSpec> pool, StoreSteps store, Deadlines deadlines) {
    this.tenure = tenure;
    this.ports = ports;
    this.machines = ports.machines(pool.get().app());
    this.pool = pool;
    this.deadlines = deadlines;
    this.store = store;
  }

  /** Never fails: every ending is an {@link Ending}. */
  Future<Ending> perform(Task task) {
    if (!tenure.holds()) return Future.succeededFuture(new Ending.NotLeading());
    return carryOut(task).recover(failure -> Future.succeededFuture(ending(failure)));
  }

  private Future<Ending> carryOut(Task task) {
    return switch (task) {
      case Task.Make make -> make(make);
      case Task.Start start -> start(start);
      case Task.Stage stage -> stage(stage);
      case Task.Shift shift -> write(shift.move());
      case Task.Teardown teardown -> teardown(teardown.action().machine());
      case Task.Stop stop ->
          fly("stop", () -> machines.stop(stop.action().machine())).map(Workshop::done);
      case Task.Destroy destroy -> destroy(destroy.action().machine());
      case Task.Lose lose -> lose(lose);
      case Task.Retag retag ->
          fly("retag", () -> machines.retag(retag.action().machine(), retag.action().tags()))
              .map(Workshop::done);
    };
  }

  private Future<Ending> make(Task.Make make) {
    return fly("create", () -> machines.create(make.order()))
        .compose(listed ->
            isOurOwn(listed, make.nameAskedAt())
                ? write(new Move.Enrol(newborn(make, listed)))
                    .map(ended ->
                        ended instanceof Ending.Done ? new Ending.Done(listed.id()) : ended)
                : refused("%s was there before; it will be wiped first".formatted(listed.name())));
  }

  /** One that had this name before may have served a session. */
  private static boolean isOurOwn(Listed listed, Instant nameAskedAt) {
    Instant made = listed.createdAt();
    return made == null || made.isAfter(nameAskedAt.minus(CLOCKS_APART));
  }

  private static Booked newborn(Task.Make make, Listed listed) {
    return new Booked(
        listed.id(),
        listed.name(),
        make.order().region(),
        make.order().template().version(),
        make.order().keep(),
        make.askedAt(),
        listed.address(),
        new MachineState.Provisioning(make.askedAt()),
        null);
  }

  private Future<Ending> start(Task.Start start) {
    MachineId machine = start.action().machine();
    return fly("start", () -> machines.start(machine))
        .compose(any -> write(new Move.Restart(machine, start.action().keep(), start.askedAt())));
  }

  private Future<Ending> stage(Task.Stage stage) {
    MachineId machine = stage.action().machine();
    Credentials.Made made =
        ports.credentials().make(tenure.mandate().pool(), machine, stage.bootedAt());
    Command plain = pool.get().handling().staging();
    Command command = new Command(plain.words(), made.plain(), plain.deadline());
    return exec(machine, command)
        .compose(ended ->
            ended instanceof Ending.Done
                ? write(new Move.Stage(machine, stage.bootedAt(), made.sealed()))
                : Future.succeededFuture(ended));
  }

  private Future<Ending> teardown(MachineId machine) {
    return steps(machine, pool.get().handling().playbook())
        .compose(ended ->
            switch (ended) {
              case Ending.Done any -> write(new Move.Clean(machine, true));
              case Ending.CommandFailed failed ->
                  write(new Move.Clean(machine, false))
                      .map(written -> written instanceof Ending.Done ? failed : written);
              case Ending.Refused other -> Future.succeededFuture(other);
              case Ending.FlyFailed other -> Future.succeededFuture(other);
              case Ending.StoreFailed other -> Future.succeededFuture(other);
              case Ending.TimedOut other -> Future.succeededFuture(other);
              case Ending.NotLeading other -> Future.succeededFuture(other);
            });
  }

  private Future<Ending> steps(MachineId machine, List<Command> left) {
    if (left.isEmpty()) return Future.succeededFuture(new Ending.Done());
    return exec(machine, left.getFirst())
        .compose(ended ->
            ended instanceof Ending.Done
                ? steps(machine, left.subList(1, left.size()))
                : Future.succeededFuture(ended));
  }

  /** A command whose answer is lost has failed: nobody knows what it left. */
  private Future<Ending> exec(MachineId machine, Command command) {
    Duration most = command.deadline().plus(EXEC_GRACE);
    return store
        .fence()
        .compose(any -> guarded(most, "exec", () -> machines.exec(machine, command)))
        .<Ending>map(ran -> ran.exitCode() == 0 ? new Ending.Done() : failed(command, ran))
        .recover(failure ->
            isUnsure(failure)
                ? Future.succeededFuture(
                    new Ending.CommandFailed("%s: no answer".formatted(command)))
                : Future.failedFuture(failure));
  }

  /** What a command that was given a secret says about it stays unsaid. */
  private static Ending failed(Command command, Machines.Ran ran) {
    String said = command.stdin().isEmpty() ? ": " + shortened(ran.stderr()) : "";
    return new Ending.CommandFailed("%s ended with %d%s".formatted(command, ran.exitCode(), said));
  }

  /** Also one that is condemned already is asked about: the store's word now, not as it was. */
  private Future<Ending> destroy(MachineId machine) {
    return write(new Move.Condemn(machine))
        .compose(ended ->
            ended instanceof Ending.Done
                ? guarded(FLY_WITHIN, "destroy", () -> machines.destroy(machine))
                    .map(Workshop::done)
                : Future.succeededFuture(ended));
  }

  private Future<Ending> lose(Task.Lose lose) {
    var action = lose.action();
    return store
        .step(
            "lose",
            () ->
                ports
                    .book()
                    .lose(
                        tenure.mandate(),
                        action.machine(),
                        action.session(),
                        action.epoch(),
                        pool.get().terms()))
        .map(result ->
            switch (result) {
              case LoseResult.Lost any -> new Ending.Done();
              case LoseResult.Replaced any -> new Ending.Done();
              case LoseResult.Moved any -> new Ending.Refused("it is no longer that session's");
            });
  }

  private Future<Ending> write(Move move) {
    return store
        .move(move)
        .map(moved ->
            switch (moved) {
              case Moved.Done any -> new Ending.Done();
              case Moved.Refused refused ->
                  new Ending.Refused(
                      refused.standing() == null
                          ? "it is in no book"
                          : "it is " + refused.standing().word());
            });
  }

  /** Asks the store, then Fly. */
  private <T> Future<T> fly(String what, Supplier<Future<T>> call) {
    return store.fence().compose(any -> guarded(FLY_WITHIN, what, call));
  }

  /** The last look at the clock before a call leaves the house. */
  private <T> Future<T> guarded(Duration most, String what, Supplier<Future<T>> call) {
    if (!tenure.holds()) {
      return Future.failedFuture(
          new StoreTrouble(StoreTrouble.Kind.FENCED, "this replica may not lead any more"));
    }
    return deadlines.within(most, what, call);
  }

  private static boolean isUnsure(Throwable failure) {
    return failure instanceof Deadlines.Late
        || (failure instanceof FlyTrouble trouble && trouble.kind() == FlyTrouble.Kind.UNSURE);
  }

  private Ending ending(Throwable failure) {
    if (failure instanceof FlyTrouble trouble) {
      return new Ending.FlyFailed(trouble.kind(), message(trouble));
    }
    if (failure instanceof StoreTrouble trouble) {
      return trouble.kind() == StoreTrouble.Kind.FENCED
          ? new Ending.NotLeading()
          : new Ending.StoreFailed(trouble.kind(), message(trouble));
    }
    if (failure instanceof Deadlines.Late late) return new Ending.TimedOut(message(late));
    ports.meters().breach(tenure.mandate().pool(), tenure.mandate().region(), "task_broke");
    return new Ending.TimedOut("unexpected: " + failure);
  }

  private static String message(Throwable failure) {
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }

  private static String shortened(String text) {
    String line = text.strip().lines().findFirst().orElse("");
    return line.length() <= 200 ? line : line.substring(0, 200) + "…";
  }

  private static Ending done(@Nullable Object any) {
    return new Ending.Done();
  }

  private static Future<Ending> refused(String why) {
    return Future.succeededFuture(new Ending.Refused(why));
  }
}
