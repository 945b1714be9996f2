// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.fly;

import cupbear.fly.model.ExitEvent;
import cupbear.fly.model.HostStatus;
import cupbear.fly.model.Machine;
import cupbear.fly.model.MachineEvent;
import cupbear.fly.model.MachineState;
import cupbear.scheduler.model.Listed;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.model.Region;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Turns a Machine as Fly tells it into one as we see it. Pure; the only place for Fly's states. */
final class Sight {
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private static final Pattern REGION = Pattern.compile("[a-z]{3,4}");

  private final String managedBy;

  /**
   * @param managedBy what a Machine's tag says when it is ours
   */
  Sight(String managedBy) {
    this.managedBy = managedBy;
  }

  /**
   * Empty for something that cannot be one of ours: no id or no region that we know the form of.
   */
  Optional<Listed> of(Machine machine) {
    boolean formed =
        ID.matcher(machine.id()).matches() && REGION.matcher(machine.region()).matches();
    return formed ? Optional.of(listed(machine)) : Optional.empty();
  }

  List<Listed> ofAll(List<Machine> machines) {
    return machines.stream().flatMap(machine -> of(machine).stream()).toList();
  }

  private Listed listed(Machine machine) {
    return new Listed(
        new MachineId(machine.id()),
        machine.name(),
        new Region(machine.region()),
        isOurs(machine),
        power(machine.state().kind()),
        machine.privateIp().isEmpty() ? null : machine.privateIp(),
        machine.hostStatus() == HostStatus.OK,
        since(machine),
        exitedAt(machine),
        known(machine.createdAt()),
        machine.metadata());
  }

  /** Without its tags, as on a host that does not answer, it counts as somebody else's. */
  boolean isOurs(Machine machine) {
    return managedBy.equals(machine.metadata().get(Recipe.MANAGED_BY));
  }

  /**
   * A word that we do not know is neither up nor down: nobody is given such a Machine, nothing is
   * done to it, and if it stays so its boot deadline ends it.
   */
  static Power power(MachineState.Kind kind) {
    return switch (kind) {
      case CREATED, CREATING, STARTING, RESTARTING, UPDATING, REPLACING -> Power.COMING_UP;
      case REPLACED, MIGRATED, UNKNOWN -> Power.COMING_UP;
      case STARTED -> Power.RUNNING;
      case STOPPING, SUSPENDING, DESTROYING -> Power.GOING_DOWN;
      // It does not serve, but nothing was wiped: to call it stopped would say that it was.
      case SUSPENDED -> Power.GOING_DOWN;
      case STOPPED -> Power.STOPPED;
      case FAILED, LAUNCH_FAILED -> Power.FAILED;
      case DESTROYED -> Power.DESTROYED;
    };
  }

  /** The event that brought it there; where it is no longer told, the last change of any kind. */
  private static @Nullable Instant since(Machine machine) {
    return machine.events().stream()
        .filter(event -> event.status().equals(machine.state().word()))
        .max(Comparator.comparingLong(MachineEvent::timestamp))
        .map(MachineEvent::at)
        .orElseGet(() -> known(machine.updatedAt()));
  }

  /** The newest exit, unless somebody asked for it. */
  private static @Nullable Instant exitedAt(Machine machine) {
    return machine.events().stream()
        .filter(event -> event.exit().isPresent())
        .max(Comparator.comparingLong(MachineEvent::timestamp))
        .filter(event -> event.exit().filter(exit -> !exit.requestedStop()).isPresent())
        .map(Sight::exitTime)
        .orElse(null);
  }

  private static Instant exitTime(MachineEvent event) {
    return event
        .exit()
        .map(ExitEvent::exitedAt)
        .filter(at -> known(at) != null)
        .orElseGet(event::at);
  }

  private static @Nullable Instant known(Instant at) {
    return at.equals(Instant.EPOCH) ? null : at;
  }
}
