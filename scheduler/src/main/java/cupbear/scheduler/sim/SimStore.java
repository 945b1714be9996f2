// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import cupbear.scheduler.adapter.memory.MemoryStore;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Marks;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionView;
import cupbear.scheduler.model.Snapshot;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The store: the real in-memory one, behind wires that lose things, on a server that stands still,
 * fails over to a copy that lacks the newest writes, or comes back empty.
 */
final class SimStore {
  private final Agenda agenda;
  private final Trace trace;
  private final long seed;
  private final Watch watch;
  private final Variant variant;
  private final MemoryStore store;
  private final StorePorts inspector;
  final StoreWeather weather = new StoreWeather();
  private int servers = 1;

  SimStore(Agenda agenda, Trace trace, long seed, Watch watch, Variant variant) {
    this.agenda = agenda;
    this.trace = trace;
    this.seed = seed;
    this.watch = watch;
    this.variant = variant;
    this.store = new MemoryStore(agenda::now);
    this.inspector = near("inspector");
    inspector.claims().onGrant(grant -> watch.granted(grant, "store"));
    inspector.journal().onEntry(SimPool.NAME, entry -> {
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

  /** What one scheduler has of the store. */
  StorePorts ports(SimProcess process) {
    Dice dice = Dice.of(seed, "store " + process.name());
    StoreWire wire = new StoreWire(agenda, dice, weather, process, watch);
    return variant.store(near(process.name()), process.name()).behind(wire);
  }

  private StorePorts near(String replica) {
    MemoryStore.View view = store.view();
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
    agenda.after(lag, () -> {
      if (weather.failingOver) return;
      trace.line("store", "dies", "with the writes of the last", lag.toMillis(), "ms");
      weather.failingOver = true;
      agenda.after(away, () -> {
        weather.failingOver = false;
        store.restore(copy);
        store.serverId(String.format(Locale.ROOT, "server-%d", ++servers));
        trace.line("store", "is-back", "as server", servers);
      });
    });
  }

  void wipe() {
    store.wipe();
    store.serverId(String.format(Locale.ROOT, "server-%d", ++servers));
  }

  void heal() {
    weather.clear();
  }

  void mark(Region region, Optional<MachineId> machine, Marks.Mark mark, boolean on) {
    trace.line("operator", on ? "marks" : "unmarks", region, machine.map(Object::toString).orElse("*"), mark);
    inspector.book().mark(SimPool.NAME, region, machine.orElse(null), mark, on);
  }

  /** What the store has of a region, for those who know the truth; empty when it cannot say. */
  Optional<Snapshot> peek(Region region) {
    Future<Snapshot> seen = inspector.book().snapshot(SimPool.NAME, region);
    return seen.succeeded() ? Optional.of(seen.result()) : Optional.empty();
  }

  List<SessionView> liveSessions() {
    Future<List<SessionView>> seen = inspector.claims().sessions(SimPool.NAME, null);
    return seen.succeeded() ? seen.result() : List.of();
  }
}
