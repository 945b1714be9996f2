// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import cupbear.scheduler.adapter.memory.MemoryConnection;
import cupbear.scheduler.adapter.memory.MemoryStore;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Marks;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionView;
import cupbear.scheduler.model.Snapshot;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The store: the real in-memory one, behind wires that lose things, on a server that stands still,
 * fails over to a copy that lacks the newest writes, or comes back empty.
 */
final class SimStore {
  /** Longer than a failover takes. */
  private static final Duration LOOKED_AGAIN = Duration.ofSeconds(10);

  private final Agenda agenda;
  private final Trace trace;
  private final long seed;
  private final Watch watch;
  private final MemoryStore store;
  final StoreWeather weather = new StoreWeather();

  SimStore(Agenda agenda, Trace trace, long seed, Watch watch) {
    this.agenda = agenda;
    this.trace = trace;
    this.seed = seed;
    this.watch = watch;
    this.store = new MemoryStore(agenda::now);
    StorePorts ear = near(store.connect());
    ear.claims().onGrant(grant -> watch.granted(grant, "store"));
    ear.journal()
        .onEntry(
            SimPool.NAME,
            entry -> {
              if (!trace.isOn()) return;
              trace.line(
                  "store",
                  entry.kind(),
                  or(entry.region()),
                  or(entry.machine()),
                  or(entry.session()),
                  entry.why());
            });
  }

  private static Object or(@org.jspecify.annotations.Nullable Object value) {
    return value == null ? "-" : value;
  }

  /**
   * What one scheduler has of the store.
   *
   * @param variant what is to be different about it
   */
  StorePorts ports(SimProcess process, UnaryOperator<StorePorts> variant) {
    Dice dice = Dice.of(seed, "store " + process.name());
    StoreWire wire = new StoreWire(agenda, dice, weather, process, watch);
    return variant.apply(near(store.connect())).behind(wire);
  }

  private static StorePorts near(MemoryConnection view) {
    return new StorePorts(
        view.claims(), view.book(), view.recovery(), view.leadership(), view.journal());
  }

  /**
   * The server dies; another one takes over that lacks what was written last.
   *
   * @param lag how much it lacks
   * @param away how long nobody answers
   */
  void failover(Duration lag, Duration away) {
    if (weather.failingOver) return;
    MemoryStore.Copy copy = store.copy();
    long copied = agenda.nanos();
    agenda.after(
        lag,
        () -> {
          if (weather.failingOver) return;
          trace.line("store", "dies", "with the writes of the last", lag.toMillis(), "ms");
          weather.failingOver = true;
          agenda.after(
              away,
              () -> {
                weather.failingOver = false;
                store.restore(copy);
                watch.dataLost(copied);
                trace.line("store", "is-back", "as", store.serverId());
              });
        });
  }

  void wipe() {
    store.wipe();
    watch.dataLost(agenda.nanos());
  }

  void heal() {
    weather.clear();
  }

  void mark(Region region, Optional<MachineId> machine, Marks.Mark mark) {
    say("marks", region, machine, mark, true);
  }

  /** Looks again later: a store that is being rebuilt refuses, and a failover forgets. */
  void unmark(Region region, Optional<MachineId> machine, Marks.Mark mark) {
    say("unmarks", region, machine, mark, false);
    agenda.after(
        LOOKED_AGAIN,
        () -> {
          boolean off = peek(region).filter(seen -> !isOn(seen.marks(), machine, mark)).isPresent();
          if (!off) unmark(region, machine, mark);
        });
  }

  private void say(
      String does, Region region, Optional<MachineId> machine, Marks.Mark mark, boolean on) {
    trace.line("operator", does, region, machine.map(Object::toString).orElse("*"), mark);
    freshly(ports -> ports.book().mark(SimPool.NAME, region, machine.orElse(null), mark, on));
  }

  private static boolean isOn(Marks marks, Optional<MachineId> machine, Marks.Mark mark) {
    return switch (mark) {
      case PAUSE -> marks.paused();
      case DRAIN -> machine.map(marks.drain()::contains).orElse(marks.regionDraining());
      case CORDON -> machine.map(marks.cordoned()::contains).orElse(marks.regionCordoned());
    };
  }

  /** What the store has of a region, for those who know the truth; empty when it cannot say. */
  Optional<Snapshot> peek(Region region) {
    return freshly(ports -> ports.book().snapshot(SimPool.NAME, region));
  }

  Optional<List<SessionView>> liveSessions() {
    return freshly(ports -> ports.claims().sessions(SimPool.NAME, null));
  }

  /** Asks as somebody who has never been here: whoever has, must first hear of losses. */
  private <T> Optional<T> freshly(Function<StorePorts, Future<T>> call) {
    try (MemoryConnection once = store.connect()) {
      Future<T> answer = call.apply(near(once));
      return answer.succeeded() ? Optional.ofNullable(answer.result()) : Optional.empty();
    }
  }
}
