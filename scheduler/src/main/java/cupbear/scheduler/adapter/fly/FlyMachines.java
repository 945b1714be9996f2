// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.fly;

import cupbear.fly.FlyApp;
import cupbear.fly.FlyClient;
import cupbear.fly.FlyException;
import cupbear.fly.FlyFailure;
import cupbear.fly.FlyMachine;
import cupbear.fly.model.ExecCommand;
import cupbear.fly.model.ExecResult;
import cupbear.fly.model.MachineFilter;
import cupbear.fly.model.MachineState.Kind;
import cupbear.fly.model.MetadataChange;
import cupbear.fly.model.Secret;
import cupbear.fly.model.Stop;
import cupbear.fly.model.WaitFor;
import cupbear.scheduler.model.Listed;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Order;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.port.FlyTrouble;
import cupbear.scheduler.port.Machines;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The Machines of one Fly app over the Machines API. Pace, repeats and lost answers are the
 * client's; here each call gets its time, and what comes back is put in our words. Any thread;
 * remembers only which pool the Machines of the newest list belong to, and can lose that.
 */
public final class FlyMachines implements Machines {
  // Each ends before those who wait for it lose patience, so that they hear why.
  private static final Duration LIST = Duration.ofSeconds(9);
  private static final Duration LOOK = Duration.ofSeconds(9);
  private static final Duration CREATE = Duration.ofSeconds(50);

  /** Holds the ten seconds for which Fly may refuse to start what it is still clearing away. */
  private static final Duration START = Duration.ofSeconds(25);

  private static final Duration STOP = Duration.ofSeconds(25);
  private static final Duration DESTROY = Duration.ofSeconds(25);
  private static final Duration RETAG = Duration.ofSeconds(20);
  private static final Duration EXEC_WAY = Duration.ofSeconds(10);
  private static final Duration EXEC_LEAST = Duration.ofSeconds(1);

  /** One round of Fly's long poll, and a little for the way. */
  private static final Duration WATCH = Duration.ofSeconds(58);

  private static final WaitFor DOWN = WaitFor.anyOf("stopped", "suspended", "destroyed", "failed");

  private static final Set<Kind> GONE_ALREADY = Set.of(Kind.DESTROYING, Kind.DESTROYED);

  private static final Set<Kind> DOWN_ALREADY =
      Set.of(
          Kind.STOPPING,
          Kind.STOPPED,
          Kind.FAILED,
          Kind.LAUNCH_FAILED,
          Kind.DESTROYING,
          Kind.DESTROYED);

  private static final int SIGNALLED = 128;

  /**
   * Which app, and what is ours in it.
   *
   * @param managedBy the tag's value that makes a Machine ours
   * @param stopTimeout how long a pool's Machines may take to end; asked anew each time
   */
  public record Scope(String app, String managedBy, Function<PoolName, Duration> stopTimeout) {
    /** For Machines whose pool is not known (yet). */
    public static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);
  }

  private final FlyApp app;
  private final Scope scope;
  private final InstantSource clock;
  private final Sight sight;
  private volatile Map<MachineId, PoolName> pools = Map.of();

  /**
   * @param client shared by all apps of one token; closed by whoever made it
   */
  public FlyMachines(FlyClient client, Scope scope, InstantSource clock) {
    this.app = client.app(scope.app());
    this.scope = scope;
    this.clock = clock;
    this.sight = new Sight(scope.managedBy());
  }

  @Override
  public Future<AppList> list() {
    Instant asked = clock.instant();
    return call(() -> app.within(LIST).machines(MachineFilter.ALL))
        .map(all -> {
          List<Listed> seen = sight.ofAll(all);
          remember(seen);
          return new AppList(asked, seen);
        });
  }

  @Override
  public Future<Optional<Listed>> look(MachineId machine) {
    return call(() -> at(machine, LOOK).get().map(sight::of))
        .recover(trouble -> isGone(trouble) ? nothing() : Future.failedFuture(trouble));
  }

  @Override
  public Future<Listed> create(Order order) {
    return call(() ->
        app.within(CREATE)
            .create(Recipe.of(order, scope.managedBy(), scope.stopTimeout().apply(order.pool())))
            .map(made -> sight.of(made.machine()))
            .recover(cause -> holderOf(order.name(), cause))
            .compose(found -> ours(order, found)));
  }

  /** The Machine that has the name already: an earlier try made it, and the answer was lost. */
  private Future<Optional<Listed>> holderOf(String name, Throwable cause) {
    boolean taken =
        cause instanceof FlyException fly && fly.failure() instanceof FlyFailure.NameTaken;
    if (!taken) return Future.failedFuture(cause);
    String holder = ((FlyFailure.NameTaken) ((FlyException) cause).failure()).holder();
    Future<Optional<Listed>> found =
        holder.isEmpty() ? list().map(all -> named(name, all)) : look(new MachineId(holder));
    // It is there; that it cannot be looked at just now does not make it undone.
    return found.recover(trouble ->
        Future.failedFuture(new FlyTrouble(FlyTrouble.Kind.UNSURE, "" + trouble.getMessage())));
  }

  private static Optional<Listed> named(String name, AppList all) {
    return all.machines().stream().filter(each -> each.name().equals(name)).findFirst();
  }

  private static Future<Listed> ours(Order order, Optional<Listed> found) {
    if (found.isEmpty() || isLeaving(found.get())) {
      return busy("the name %s is taken by a Machine on its way out".formatted(order.name()));
    }
    Listed machine = found.get();
    return machine.ours() && machine.region().equals(order.region())
        ? Future.succeededFuture(machine)
        : busy(
            "the name %s is taken by Machine %s in %s, which is not ours; rename or destroy it"
                .formatted(order.name(), machine.id(), machine.region()));
  }

  private static boolean isLeaving(Listed machine) {
    return machine.power() == Power.GOING_DOWN || machine.power() == Power.DESTROYED;
  }

  @Override
  public Future<Void> start(MachineId machine) {
    return call(() -> at(machine, START).start().mapEmpty());
  }

  @Override
  public Future<Void> stop(MachineId machine) {
    Duration timeout =
        Optional.ofNullable(pools.get(machine)).map(scope.stopTimeout()).orElse(Scope.STOP_TIMEOUT);
    return call(() -> at(machine, STOP).stop(Stop.sigterm(timeout)))
        .recover(trouble -> unless(machine, DOWN_ALREADY, trouble));
  }

  @Override
  public Future<Void> destroy(MachineId machine) {
    return call(() -> at(machine, DESTROY).delete(true))
        .recover(trouble -> unless(machine, GONE_ALREADY, trouble));
  }

  @Override
  public Future<Void> retag(MachineId machine, Map<String, String> tags) {
    FlyMachine where = at(machine, RETAG);
    // After a loss of the store this tag is what keeps others off a session's Machine.
    boolean inUse = Standing.ASSIGNED.word().equals(tags.get("state"));
    return call(() -> (inUse ? where.urgent() : where).metadata().patch(MetadataChange.of(tags)));
  }

  @Override
  public Future<Ran> exec(MachineId machine, Command command) {
    Secret stdin = Secret.of(command.stdin());
    Duration limit = clamped(command.deadline());
    return call(() ->
        at(machine, limit.plus(EXEC_WAY))
            .exec(new ExecCommand(command.words(), stdin, limit, ""))
            .map(result -> new Ran(exitCode(result), stdin.maskIn(result.stderr()))));
  }

  /** Fly runs a command for a second at least and a minute at most. */
  private static Duration clamped(Duration deadline) {
    if (deadline.compareTo(EXEC_LEAST) < 0) return EXEC_LEAST;
    return deadline.compareTo(ExecCommand.LONGEST) > 0 ? ExecCommand.LONGEST : deadline;
  }

  /** As a shell would say it: a command that was killed has failed, whatever its code. */
  private static int exitCode(ExecResult result) {
    return result.exitSignal() == 0 || result.exitCode() != 0
        ? result.exitCode()
        : SIGNALLED + Math.abs(result.exitSignal());
  }

  @Override
  public Future<Optional<Listed>> awaitDown(MachineId machine) {
    return call(() ->
            at(machine, WATCH)
                .waitFor(DOWN)
                .map(Optional::of)
                .recover(cause -> isInVain(cause) ? nothing() : Future.failedFuture(cause)))
        .compose(ended -> ended.isPresent() ? look(machine) : nothing())
        .recover(trouble -> isGone(trouble) ? nothing() : Future.failedFuture(trouble));
  }

  private static boolean isInVain(Throwable cause) {
    return cause instanceof FlyException fly && fly.failure() instanceof FlyFailure.TimedOut;
  }

  // ---- common to all

  private FlyMachine at(MachineId machine, Duration within) {
    return app.machine(machine.value()).within(within);
  }

  private void remember(List<Listed> seen) {
    Map<MachineId, PoolName> known = HashMap.newHashMap(seen.size());
    seen.forEach(each -> each.pool().ifPresent(pool -> known.put(each.id(), pool)));
    pools = known;
  }

  /** Fly may refuse what is done already; whoever wanted it done is content all the same. */
  private Future<Void> unless(MachineId machine, Set<Kind> already, Throwable refused) {
    boolean aboutItsState =
        refused instanceof FlyTrouble trouble && trouble.kind() == FlyTrouble.Kind.BUSY;
    if (!aboutItsState) return Future.failedFuture(refused);
    return call(() -> at(machine, LOOK).get().map(now -> already.contains(now.state().kind())))
        .recover(trouble -> Future.succeededFuture(isGone(trouble)))
        .compose(done -> done ? Future.succeededFuture() : Future.failedFuture(refused));
  }

  private static boolean isGone(Throwable cause) {
    return cause instanceof FlyTrouble trouble && trouble.kind() == FlyTrouble.Kind.GONE;
  }

  private static <T> Future<Optional<T>> nothing() {
    return Future.succeededFuture(Optional.empty());
  }

  private static <T> Future<T> busy(String why) {
    return Future.failedFuture(new FlyTrouble(FlyTrouble.Kind.BUSY, why));
  }

  /** Whatever goes wrong, here or at Fly, comes out as trouble with Fly and as nothing else. */
  @SuppressWarnings("IllegalCatch") // the border to code that is not ours
  private static <T> Future<T> call(Supplier<Future<T>> attempt) {
    Future<T> answer;
    try {
      answer = attempt.get();
    } catch (RuntimeException broken) {
      answer = Future.failedFuture(broken);
    }
    return answer.recover(cause -> Future.failedFuture(Troubles.of(cause)));
  }
}
