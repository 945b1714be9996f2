// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.EntryKind;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Marks;
import cupbear.scheduler.model.Marks.Mark;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.Snapshot;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What operators may do. An act is written into the journal first, with who and why, and then
 * marked in the store, where the region's loop finds it: so no act is missing from the journal. Any
 * thread; holds nothing.
 */
public final class Steering {
  private static final Duration STORE_WITHIN = Duration.ofSeconds(3);

  /** What can be asked for. */
  public enum Act {
    DRAIN(true, EntryKind.ACT_DRAIN),
    CORDON(true, EntryKind.ACT_CORDON),
    UNCORDON(false, EntryKind.ACT_UNCORDON),
    PAUSE(true, EntryKind.ACT_PAUSE),
    RESUME(false, EntryKind.ACT_RESUME);

    private final boolean on;
    private final EntryKind kind;

    Act(boolean on, EntryKind kind) {
      this.on = on;
      this.kind = kind;
    }

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    private List<Mark> marks(boolean wholeRegion) {
      return switch (this) {
        case DRAIN -> List.of(Mark.DRAIN);
        case CORDON -> List.of(Mark.CORDON);
        // A drained region is opened again by the same word as a cordoned one.
        case UNCORDON -> wholeRegion ? List.of(Mark.CORDON, Mark.DRAIN) : List.of(Mark.CORDON);
        case PAUSE, RESUME -> List.of(Mark.PAUSE);
      };
    }
  }

  /**
   * Who wants it and why.
   *
   * @param token the id of the token, which is safe to show
   * @param reason one sentence; empty when none was given
   */
  public record By(String name, String token, String reason) {}

  /**
   * What came of it.
   *
   * @param applied false for a dry run, and when it was so already
   * @param machines those that it touches
   */
  public record Done(
      Act act,
      boolean applied,
      PoolName pool,
      Region region,
      List<MachineId> machines,
      Instant at) {}

  private record Place(PoolName pool, Region region, @Nullable MachineId machine) {}

  private final Fleet fleet;
  private final Ports ports;
  private final Deadlines deadlines;

  public Steering(Fleet fleet, Ports ports) {
    this.fleet = fleet;
    this.ports = ports;
    this.deadlines = new Deadlines(ports.time());
  }

  /** On one Machine of these pools; empty when there is none with this id. */
  public Future<Optional<Done>> machine(
      Collection<PoolSpec> pools, MachineId machine, Act act, By by, boolean dryRun) {
    return fleet
        .machine(pools, machine)
        .compose(found -> {
          if (found.isEmpty()) return Future.succeededFuture(Optional.empty());
          Region region = found.get().booked().region();
          Place place = new Place(found.get().pool(), region, machine);
          return perform(place, act, by, dryRun).map(Optional::of);
        });
  }

  /** On a whole regional pool. */
  public Future<Done> region(PoolName pool, Region region, Act act, By by, boolean dryRun) {
    return perform(new Place(pool, region, null), act, by, dryRun);
  }

  private Future<Done> perform(Place place, Act act, By by, boolean dryRun) {
    return fleet
        .snapshot(place.pool(), place.region())
        .compose(snapshot -> {
          List<Mark> missing =
              act.marks(place.machine() == null).stream()
                  .filter(mark -> isSet(snapshot.marks(), place.machine(), mark) != act.on)
                  .toList();
          boolean applied = !dryRun && !missing.isEmpty();
          Done done =
              new Done(
                  act,
                  applied,
                  place.pool(),
                  place.region(),
                  touched(place, act, snapshot),
                  snapshot.at());
          if (!applied) return Future.succeededFuture(done);
          return write(place, act, by).compose(any -> mark(place, act, missing)).map(any -> done);
        });
  }

  private static boolean isSet(Marks marks, @Nullable MachineId machine, Mark mark) {
    return switch (mark) {
      case DRAIN -> machine == null ? marks.regionDraining() : marks.drain().contains(machine);
      case CORDON -> machine == null ? marks.regionCordoned() : marks.cordoned().contains(machine);
      case PAUSE -> marks.paused();
    };
  }

  private static List<MachineId> touched(Place place, Act act, Snapshot snapshot) {
    if (place.machine() != null) return List.of(place.machine());
    if (act != Act.DRAIN) return List.of();
    return snapshot.machines().stream()
        .filter(each ->
            switch (each.state().standing()) {
              case PROVISIONING, PROVING, WARM, ASSIGNED -> true;
              case DRAINING, PARKED, CONDEMNED, UNKNOWN -> false;
            })
        .map(Booked::id)
        .sorted()
        .toList();
  }

  private Future<Void> write(Place place, Act act, By by) {
    Entry entry =
        new Entry(
                "",
                ports.time().now(),
                act.kind.word(),
                place.pool(),
                place.region(),
                place.machine(),
                null,
                null,
                by.reason(),
                new TreeMap<>())
            .with("by", by.token())
            .with("name", by.name());
    return deadlines.within(
        STORE_WITHIN, "journal", () -> ports.journal().append(place.pool(), List.of(entry)));
  }

  private Future<Void> mark(Place place, Act act, List<Mark> missing) {
    Future<Void> done = Future.succeededFuture();
    for (Mark mark : missing) {
      done =
          done.compose(any ->
              deadlines.within(
                  STORE_WITHIN,
                  "mark",
                  () ->
                      ports
                          .book()
                          .mark(place.pool(), place.region(), place.machine(), mark, act.on)));
    }
    return done;
  }

  /** The settings were read again, by somebody: every pool's journal says so. */
  public Future<Void> reloaded(By by, List<String> changed) {
    List<Future<Void>> written =
        fleet.pools().all().keySet().stream()
            .map(pool -> {
              Entry entry =
                  new Entry(
                          "",
                          ports.time().now(),
                          EntryKind.CONFIG_RELOADED.word(),
                          pool,
                          null,
                          null,
                          null,
                          null,
                          String.join(", ", changed),
                          new TreeMap<>())
                      .with("by", by.token())
                      .with("name", by.name());
              return deadlines.within(
                  STORE_WITHIN, "journal", () -> ports.journal().append(pool, List.of(entry)));
            })
            .toList();
    return Future.join(written).mapEmpty();
  }
}
