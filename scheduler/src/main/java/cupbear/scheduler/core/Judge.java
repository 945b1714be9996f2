// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.Machine;
import cupbear.scheduler.model.MachineState.Cleaning;
import cupbear.scheduler.model.MachineState.Draining;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.model.Reason;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.Why;
import java.time.Duration;
import java.time.Instant;
import java.util.IdentityHashMap;
import java.util.Optional;

/** What is wrong with one Machine: to be given up, or only to be doubted. */
final class Judge {
  /** One list alone proves nothing: Machines made moments ago may be missing from it. */
  private static final int LISTS_TO_BE_GONE = 2;

  private final Scene scene;

  /** Several rules ask about the same Machine within one plan. */
  private final IdentityHashMap<Machine, Optional<Why>> givenUp = new IdentityHashMap<>();

  Judge(Scene scene) {
    this.scene = scene;
  }

  /** Why this Machine cannot be kept; empty when it can. */
  Optional<Why> whyGiveUp(Machine machine) {
    Optional<Why> known = givenUp.get(machine);
    if (known != null) return known;
    Optional<Why> why = judge(machine);
    givenUp.put(machine, why);
    return why;
  }

  private Optional<Why> judge(Machine machine) {
    return switch (machine.state().standing()) {
      case PROVISIONING, PROVING ->
          lost(machine).or(() -> host(machine)).or(() -> strikes(machine)).or(() -> late(machine));
      case WARM -> lost(machine).or(() -> host(machine)).or(() -> strikes(machine));
      case ASSIGNED -> lost(machine).or(() -> silentHost(machine)).or(() -> strikes(machine));
      case DRAINING -> gone(machine).or(() -> host(machine)).or(() -> uncleanable(machine));
      case PARKED -> gone(machine).or(() -> host(machine)).or(() -> useless(machine));
      // Condemned already; or not ours to judge before the store knows more.
      case CONDEMNED, UNKNOWN -> Optional.empty();
    };
  }

  /** Why a warm Machine must not be given out before it is proven again. */
  Optional<Why> whyDoubt(Machine machine) {
    if (Strikes.isDoubtful(machine.health())) {
      return why(Reason.UNPROVEN, "its newest probe failed");
    }
    if (!machine.fly().hostOk()) return why(Reason.HOST_DOUBTFUL, "its host is not ok");
    if (isMissing(machine)) return why(Reason.GONE, "the newest list does not show it");
    return Optional.empty();
  }

  /** Absent from the list, with nothing to say that it lives. */
  boolean isMissing(Machine machine) {
    return scene.isListTrusted()
        && machine.fly().power() == Power.ABSENT
        && !scene.answeredLately(machine)
        && !isJustMade(machine);
  }

  boolean isGone(Machine machine) {
    return machine.fly().power() == Power.DESTROYED
        || (isMissing(machine)
            && machine.fly().missedLists() >= LISTS_TO_BE_GONE
            && !isUnaskedInUse(machine));
  }

  /**
   * A session is worth more than lists: its Machine has to have been asked, without a good answer,
   * after it was first missed. A leader whose probes are held up has only lists.
   */
  private static boolean isUnaskedInUse(Machine machine) {
    Instant missedSince = machine.fly().absentSince();
    return machine.state().standing() == Standing.ASSIGNED
        && (missedSince == null || !machine.health().probedAfter(missedSince));
  }

  private boolean isJustMade(Machine machine) {
    return machine.state().standing() == Standing.PROVISIONING
        && !scene.isPast(machine.bootedAt(), scene.policy().pass().answerWithin());
  }

  private Optional<Why> gone(Machine machine) {
    if (!isGone(machine)) return Optional.empty();
    return machine.fly().power() == Power.DESTROYED
        ? why(Reason.GONE, "Fly shows it as destroyed")
        : why(Reason.GONE, "missing from %d lists in a row".formatted(machine.fly().missedLists()));
  }

  private Optional<Why> lost(Machine machine) {
    return gone(machine).or(() -> broken(machine));
  }

  private Optional<Why> broken(Machine machine) {
    Instant exited = machine.fly().exitedAt();
    if (exited != null && exited.isAfter(inServiceSince(machine))) {
      return why(Reason.EXITED, "it exited at %s without being asked".formatted(exited));
    }
    if (machine.fly().power() == Power.FAILED) {
      return why(Reason.LAUNCH_FAILED, "Fly says that it failed to come up");
    }
    boolean down = isDownSinceBoot(machine) && !scene.answeredLately(machine);
    return down && machine.state().standing() != Standing.PROVISIONING
        ? why(Reason.STOPPED_BY_OTHERS, "somebody else stopped it")
        : Optional.empty();
  }

  /**
   * What happened to a Machine before its session began was got over: it was proven after it. Fly
   * may tell of it only now, and a live session must not pay for that.
   */
  private static Instant inServiceSince(Machine machine) {
    boolean assigned = machine.state().standing() == Standing.ASSIGNED;
    return assigned ? machine.state().since() : machine.bootedAt();
  }

  /** A stop before the current boot is an old story told by a lagging list. */
  private static boolean isDownSinceBoot(Machine machine) {
    Instant since = machine.fly().since();
    return machine.fly().power().isDown() && (since == null || since.isAfter(machine.bootedAt()));
  }

  private Optional<Why> host(Machine machine) {
    Instant since = machine.fly().hostDoubtfulSince();
    Duration grace = scene.policy().probing().hostGrace();
    return since != null && scene.isPast(since, grace)
        ? why(
            Reason.HOST_DOUBTFUL,
            "its host is not ok for %s".formatted(Span.of(since, scene.now())))
        : Optional.empty();
  }

  /** A live session outweighs what Fly thinks of the host, as long as the Machine answers. */
  private Optional<Why> silentHost(Machine machine) {
    return scene.answeredLately(machine) ? Optional.empty() : host(machine);
  }

  /** Only fresh strikes count: a prober that went blind must not act on what it once saw. */
  private Optional<Why> strikes(Machine machine) {
    var probing = scene.policy().probing();
    boolean out =
        Strikes.isOut(machine.health(), probing)
            && machine.health().probedAfter(scene.now().minus(probing.round()))
            && !scene.brake().on();
    return out
        ? why(Reason.STRUCK_OUT, "%d probes in a row failed".formatted(machine.health().strikes()))
        : Optional.empty();
  }

  /**
   * While the prober itself is in doubt nobody can be proven, so nobody is late; nor is one that is
   * ready and only waits for us, as all are that were doubted while Fly or the store was away.
   */
  private Optional<Why> late(Machine machine) {
    boolean ready = Readiness.mayTurnWarm(machine, scene.desired(), scene.policy().probing());
    if (ready || scene.brake().on()) return Optional.empty();
    Duration deadline = BootTimes.deadline(scene.seen().boot(), scene.policy().probing());
    Instant asked = provingSince(machine, deadline);
    if (!scene.isPast(asked, deadline)) return Optional.empty();
    return why(
        Reason.BOOT_DEADLINE,
        "not proven after %s; %s are allowed"
            .formatted(Span.of(asked, scene.now()), Span.of(deadline)));
  }

  /** A boot is judged from its start; one that was warm in between, from its first doubt. */
  private static Instant provingSince(Machine machine, Duration deadline) {
    Instant since = machine.state().since();
    boolean wasWarm = machine.health().proven() || since.isAfter(machine.bootedAt().plus(deadline));
    return wasWarm ? since : machine.bootedAt();
  }

  private Optional<Why> uncleanable(Machine machine) {
    if (machine.state() instanceof Draining draining && draining.cleaning() == Cleaning.FAILED) {
      return why(Reason.TEARDOWN_FAILED, "a step of its teardown failed");
    }
    if (machine.fly().power() == Power.FAILED) {
      return why(Reason.LAUNCH_FAILED, "Fly says that it failed");
    }
    Instant since = machine.state().since();
    return scene.isPast(since, scene.policy().turnover().drainDeadline())
        ? why(Reason.DRAIN_STUCK, "still draining after %s".formatted(Span.of(since, scene.now())))
        : Optional.empty();
  }

  private Optional<Why> useless(Machine machine) {
    if (machine.fly().power() == Power.FAILED) {
      return why(Reason.LAUNCH_FAILED, "Fly says that it failed");
    }
    return scene.isOldTemplate(machine) ? oldTemplate(machine) : Optional.empty();
  }

  private Optional<Why> oldTemplate(Machine machine) {
    return why(
        Reason.OLD_TEMPLATE,
        "made from template %s, now it is %s"
            .formatted(machine.template(), scene.desired().template().version()));
  }

  private static Optional<Why> why(Reason reason, String detail) {
    return Optional.of(new Why(reason, detail));
  }
}
