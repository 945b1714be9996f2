// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.ClaimRequest;
import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.Marks.Mark;
import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.Moved;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Proof;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.TemplateVersion;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.model.WaitResult;
import cupbear.scheduler.model.Waiter;
import cupbear.scheduler.port.Claims.SessionCall;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Does one thing at random after the other: gateways ask, renew, hang up and end; leaders move
 * Machines about; operators mark; time passes; and, if wanted, the store loses data. All of it by
 * the rules that the real ones keep: gateways renew in time, replicas report, and nobody stops a
 * Machine while the store is being rebuilt.
 */
final class Walker {
  static final PoolName POOL = new PoolName("viewers");
  static final List<Region> REGIONS = List.of(new Region("iad"), new Region("lhr"));
  static final Terms TERMS =
      new Terms(
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          Duration.ofMinutes(5),
          Duration.ofHours(24),
          12,
          Terms.Failover.REPLACE);
  private static final int MACHINES_MOST = 10;
  private static final int STEPS_PER_LOSS = 200;
  private static final int STORY_LENGTH = 40;

  final Random dice;
  private final boolean losses;
  private final Deque<String> story = new ArrayDeque<>();
  private final List<Waiter> waiters = new ArrayList<>();
  private final Oath oath;
  Instant now = Instant.parse("2026-03-01T08:00:00Z");
  final MemoryStore store = new MemoryStore(() -> now);
  final Gateways gateways = new Gateways(this);
  final Crew crew = new Crew(this);

  /** Machines that died under a session; nobody is hurt when they are stopped. */
  final Set<MachineId> dead = new HashSet<>();

  private MemoryStore.Copy copy;
  private Instant copiedAt;
  private int names;

  Walker(long seed, boolean losses) {
    this.dice = new Random(seed);
    this.losses = losses;
    crew.look();
    copy = store.copy();
    copiedAt = now;
    oath = new Oath(this);
    store.connect().claims().onGrant(this::served);
  }

  String step() {
    oath.before();
    boolean loss = losses && dice.nextInt(STEPS_PER_LOSS) == 0;
    String did = loss ? lose() : peacefully(dice.nextInt(100));
    story.addLast(did);
    if (story.size() > STORY_LENGTH) story.removeFirst();
    return did;
  }

  private String peacefully(int roll) {
    return roll < 60 ? moveSomething() : roll < 82 ? askSomething(roll) : other(roll);
  }

  void check() {
    oath.after(story.getLast());
  }

  String story() {
    return String.join("\n", story);
  }

  /** In the end, whoever nobody renews is gone, and no Machine is kept for anybody. */
  void finish() {
    gateways.silence();
    for (int i = 0; i < 60; i++) {
      pass(Duration.ofSeconds(5));
      oath.before();
      crew.expire();
      oath.after("expire");
    }
    oath.nobodyIsLeft();
  }

  private String askSomething(int roll) {
    if (roll < 70) return claim();
    if (roll < 72) return leave();
    Optional<Grant> grant = gateways.any(dice);
    if (grant.isEmpty()) return claim();
    if (roll < 74) return gateways.renew(grant.get());
    if (roll < 76) return gateways.confirm(grant.get());
    if (roll < 79) return gateways.end(grant.get());
    return gateways.fallSilent(grant.get());
  }

  private String other(int roll) {
    if (roll < 91) return pass(Duration.ofMillis(dice.nextInt(3_000)));
    if (roll < 94) return crew.expire();
    if (roll < 96) return mark();
    if (roll < 97) return crew.resign();
    return crew.vouch();
  }

  private String claim() {
    boolean again = dice.nextInt(5) == 0 && names > 0;
    String key = "k" + (again ? dice.nextInt(names) : names++);
    Waiter waiter = new Waiter(new SessionId("s-" + key + "-" + names), "mark" + names++);
    List<Region> regions = dice.nextBoolean() ? REGIONS : List.of(any(REGIONS));
    Duration patience = Duration.ofSeconds(dice.nextInt(4) * 5L);
    String tenant = "t" + dice.nextInt(3);
    ClaimRequest request =
        new ClaimRequest(
            POOL, new Caller("gw"), tenant, key, "body", waiter, regions, patience, TERMS);
    MemoryConnection replica = crew.anyone();
    ClaimResult result = must(replica.claims().claim(request));
    if (result instanceof ClaimResult.Queued queued) waiters.add(queued.waiter());
    if (result instanceof ClaimResult.Granted granted) {
      // Nobody is there to hear of it, or it is delivered.
      if (dice.nextInt(6) == 0) waiters.add(new Waiter(granted.grant().session(), waiter.mark()));
      else gateways.delivered(granted.grant(), replica);
      // A replay may come in the last moment before its grant is taken back.
      if (granted.replayed()) return "renew at once: " + gateways.renew(granted.grant());
    }
    return "claim " + key + ": " + result;
  }

  /** Most who wait are still there when their answer comes. */
  private void served(Grant grant) {
    if (dice.nextInt(6) == 0) return;
    boolean waits = waiters.removeIf(waiter -> waiter.session().equals(grant.session()));
    if (waits) gateways.delivered(grant, crew.anyone());
  }

  private String leave() {
    if (waiters.isEmpty()) return "nobody leaves";
    Waiter waiter = waiters.remove(dice.nextInt(waiters.size()));
    if (gateways.holds(waiter.session())) return "its answer was delivered";
    WaitResult.Leaving why =
        dice.nextBoolean() ? WaitResult.Leaving.HUNG_UP : WaitResult.Leaving.DEADLINE;
    MemoryConnection replica = crew.anyone();
    Future<WaitResult> result = replica.claims().leave(POOL, waiter, why);
    if (result.succeeded() && result.result() instanceof WaitResult.Granted granted) {
      gateways.delivered(granted.grant(), replica);
      return "renew at once: " + gateways.renew(granted.grant());
    }
    return "leave " + waiter + " " + why + ": " + said(result);
  }

  private String mark() {
    Region region = any(REGIONS);
    Mark mark = any(List.of(Mark.values()));
    List<Booked> machines = crew.machines(region);
    boolean whole = dice.nextInt(4) == 0 || machines.isEmpty();
    MachineId machine = whole ? null : any(machines).id();
    boolean on = dice.nextInt(3) == 0;
    crew.anyone().book().mark(POOL, region, machine, mark, on);
    return "mark %s %s %s %s".formatted(region, machine, mark, on);
  }

  private String moveSomething() {
    Region region = any(REGIONS);
    List<Booked> machines = crew.machines(region);
    if (crew.isCalm() && machines.size() < MACHINES_MOST && dice.nextInt(3) == 0) {
      return enrol(region);
    }
    if (machines.isEmpty()) return "nothing to move";
    Booked booked = any(machines);
    // Probes go on while the store is being rebuilt, and a healthy answer is offered as proof.
    if (!crew.isCalm()) return prove(region, booked);
    return step(region, booked);
  }

  private String step(Region region, Booked booked) {
    MachineId id = booked.id();
    return switch (booked.state()) {
      case MachineState.Provisioning any -> move(region, new Move.Boot(id, "fdaa::" + id));
      case MachineState.Proving proving -> proving(region, booked, proving);
      case MachineState.Warm any ->
          switch (dice.nextInt(8)) {
            case 0 -> move(region, new Move.Doubt(id));
            case 1 -> move(region, new Move.Retire(id));
            case 2 -> move(region, new Move.Condemn(id));
            default -> crew.vouch();
          };
      case MachineState.Assigned assigned ->
          dice.nextInt(12) == 0 ? crew.lose(region, id, assigned) : "it is in use";
      case MachineState.Draining any -> move(region, new Move.Park(id));
      case MachineState.Parked any -> move(region, new Move.Restart(id, Keep.ALWAYS, now));
      case MachineState.Condemned any -> move(region, new Move.Forget(id));
      case MachineState.Unknown any -> "nobody touches it";
    };
  }

  private String proving(Region region, Booked booked, MachineState.Proving proving) {
    MachineId id = booked.id();
    if (!proving.staged()) return move(region, new Move.Stage(id, booked.bootedAt(), "sealed"));
    if (dice.nextInt(12) == 0) return move(region, new Move.Condemn(id));
    return prove(region, booked);
  }

  private String prove(Region region, Booked booked) {
    Instant seen = now.minusMillis(dice.nextInt(20_000));
    return crew.prove(region, new Proof(booked.id(), booked.bootedAt(), seen, seen));
  }

  private String enrol(Region region) {
    TemplateVersion template = new TemplateVersion("" + (7 + dice.nextInt(2)));
    MachineId id = new MachineId("m" + names++);
    MachineState state = new MachineState.Provisioning(now);
    Booked booked = new Booked(id, "name", region, template, Keep.ALWAYS, now, null, state, null);
    return move(region, new Move.Enrol(booked));
  }

  private String move(Region region, Move move) {
    Moved moved = crew.move(region, move);
    if (moved instanceof Moved.Done) oath.moved(move);
    return move + ": " + moved;
  }

  /** Time passes in small pieces, so that everybody does what is due in between. */
  String pass(Duration time) {
    now = now.plus(time);
    crew.look();
    gateways.renewAll();
    if (!copiedAt.plusSeconds(8).isAfter(now)) {
      copy = store.copy();
      copiedAt = now;
    }
    return "pass " + time;
  }

  private String lose() {
    now = now.plusMillis(500);
    boolean wipe = dice.nextInt(3) == 0;
    if (wipe) store.wipe();
    else store.restore(copy);
    if (dice.nextInt(3) == 0) crew.kill();
    oath.lost();
    crew.alarm();
    copiedAt = Instant.MAX.minusSeconds(10);
    copy = store.copy();
    return wipe ? "WIPED" : "FAILED OVER";
  }

  /** A recovery is over: what is there now can be lost again. */
  void healed() {
    copy = store.copy();
    copiedAt = now;
  }

  SessionCall call(SessionId session) {
    return new SessionCall(POOL, session, new Caller("gw"), TERMS);
  }

  <T> T any(List<T> list) {
    return list.get(dice.nextInt(list.size()));
  }

  static <T> T must(Future<T> future) {
    if (future.failed()) throw new AssertionError("the store answered: " + future.cause());
    return future.result();
  }

  static String said(Future<?> future) {
    return future.failed() ? "" + future.cause() : "" + future.result();
  }
}
