// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.ActionKind;
import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Desired;
import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Finding;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.Listed;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Marks;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.model.Proof;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.Snapshot;
import cupbear.scheduler.model.Template;
import cupbear.scheduler.model.TemplateVersion;
import cupbear.scheduler.model.Verdict;
import cupbear.scheduler.port.Machines.AppList;
import cupbear.scheduler.port.Probes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A loop on a stage: a world of Machines that a test arranges, and a clock that it moves. */
final class Stage {
  static final Instant BEGAN = Instant.parse("2026-03-01T08:00:00Z");
  static final PoolName POOL = new PoolName("viewers");
  static final Region IAD = new Region("iad");
  static final Mandate MANDATE = new Mandate(POOL, IAD, new Epoch(5));

  private final Map<MachineId, Booked> book = new TreeMap<>();
  private final Map<MachineId, Listed> fly = new TreeMap<>();
  private final List<Effect> effects = new ArrayList<>();
  private Desired.Bounds bounds = new Desired.Bounds(0, 5, 5);
  private boolean credentials;
  private Marks marks = Marks.NONE;
  private int waiting;
  private long arrivals;
  private Memory memory = Memory.NONE;
  private Duration storeAhead = Duration.ZERO;
  private @Nullable RegionLoop loop;
  private Instant now = BEGAN;

  Stage bounds(int min, int max) {
    bounds = new Desired.Bounds(min, max, 5);
    return this;
  }

  Stage credentials() {
    credentials = true;
    return this;
  }

  Stage marks(Marks wished) {
    marks = wished;
    return this;
  }

  Stage waiting(int requests) {
    waiting = requests;
    return this;
  }

  Stage arrived(int requests) {
    arrivals += requests;
    return this;
  }

  Stage remembering(Memory left) {
    memory = left;
    return this;
  }

  Stage storeAhead(Duration by) {
    storeAhead = by;
    return this;
  }

  Stage warm(String... ids) {
    for (String id : ids) machine(id, Power.RUNNING, MachineState.Warm::new);
    return this;
  }

  Stage assigned(String id) {
    SessionId session = new SessionId("ses_" + id);
    Function<Instant, MachineState> state =
        at -> new MachineState.Assigned(at, session, new Epoch(7));
    return machine(id, Power.RUNNING, state);
  }

  Stage proving(String id, boolean staged) {
    machine(id, Power.RUNNING, at -> new MachineState.Proving(at, staged));
    return unproven(id);
  }

  Stage provisioning(String id) {
    machine(id, Power.COMING_UP, MachineState.Provisioning::new);
    return unproven(id);
  }

  Stage parked(String id) {
    machine(id, Power.STOPPED, MachineState.Parked::new);
    return unproven(id);
  }

  private Stage unproven(String id) {
    book.computeIfPresent(new MachineId(id), (any, each) -> with(each, each.state(), null));
    return this;
  }

  Stage draining(String id) {
    return machine(
        id, Power.RUNNING, at -> new MachineState.Draining(at, MachineState.Cleaning.NOTHING));
  }

  Stage condemned(String id) {
    return machine(id, Power.RUNNING, at -> new MachineState.Condemned(at, false));
  }

  private Stage machine(String id, Power power, Function<Instant, MachineState> state) {
    Instant booted = now.plus(storeAhead).minusSeconds(60);
    MachineId machine = new MachineId(id);
    Proof proof = new Proof(machine, booted, now.plus(storeAhead), now.plus(storeAhead));
    book.put(
        machine,
        new Booked(
            machine,
            "viewers-iad-7-" + id,
            IAD,
            new TemplateVersion("7"),
            Keep.ALWAYS,
            booted,
            "fdaa::" + id.length(),
            state.apply(now.plus(storeAhead).minusSeconds(30)),
            proof));
    return listed(id, power, "iad", Map.of("pool", "viewers"));
  }

  Stage listed(String id, Power power, String region, Map<String, String> tags) {
    fly.put(
        new MachineId(id),
        new Listed(
            new MachineId(id),
            "viewers-iad-7-" + id,
            new Region(region),
            tags.containsKey("pool"),
            power,
            "fdaa::1",
            true,
            null,
            null,
            null,
            tags));
    return this;
  }

  Stage power(String id, Power power) {
    fly.computeIfPresent(
        new MachineId(id), (any, each) -> listedAs(each, power, each.hostOk(), each.tags()));
    return this;
  }

  Stage tagged(String id, String state) {
    Map<String, String> tags = Map.of("pool", "viewers", "state", state);
    fly.computeIfPresent(
        new MachineId(id), (any, each) -> listedAs(each, each.power(), each.hostOk(), tags));
    return this;
  }

  Stage hostBad(String id) {
    fly.computeIfPresent(
        new MachineId(id), (any, each) -> listedAs(each, each.power(), false, each.tags()));
    return this;
  }

  private static Listed listedAs(
      Listed each, Power power, boolean hostOk, Map<String, String> tags) {
    String address = each.address();
    return new Listed(
        each.id(), each.name(), IAD, each.ours(), power, address, hostOk, null, null, null, tags);
  }

  Stage gone(String... ids) {
    for (String id : ids) fly.remove(new MachineId(id));
    return this;
  }

  Stage unbooked(String... ids) {
    for (String id : ids) book.remove(new MachineId(id));
    return this;
  }

  Stage stands(String id, MachineState state) {
    book.computeIfPresent(new MachineId(id), (any, each) -> with(each, state, each.proof()));
    return this;
  }

  private static Booked with(Booked each, MachineState state, @Nullable Proof proof) {
    return new Booked(
        each.id(),
        each.name(),
        each.region(),
        each.template(),
        each.keep(),
        each.bootedAt(),
        each.address(),
        state,
        proof);
  }

  Booked booked(String id) {
    return Objects.requireNonNull(book.get(new MachineId(id)));
  }

  Listed flyHas(String id) {
    return Objects.requireNonNull(fly.get(new MachineId(id)));
  }

  Instant now() {
    return now;
  }

  Stage pass(Duration time) {
    now = now.plus(time);
    return this;
  }

  /** One event; what it leads to is what the questions below are about. */
  Stage on(Event event) {
    effects.clear();
    effects.addAll(loop().on(event, now));
    return this;
  }

  Stage beat() {
    return on(new Event.Beat());
  }

  Stage seen() {
    AppList list = new AppList(now, List.copyOf(fly.values()));
    return on(new Event.Seen(list, snapshot(), false));
  }

  /** Time goes by in beats; everything it leads to is collected. */
  Stage beats(Duration length) {
    List<Effect> all = new ArrayList<>();
    Instant until = now.plus(length);
    while (now.isBefore(until)) {
      now = now.plusMillis(250);
      all.addAll(loop().on(new Event.Beat(), now));
    }
    return collected(all);
  }

  /** The next tick's observation, and what follows within a moment. */
  Stage tick() {
    List<Effect> all = new ArrayList<>(pass(Duration.ofSeconds(5)).beat().effects());
    all.addAll(seen().effects());
    all.addAll(pass(Duration.ofMillis(250)).beat().effects());
    return collected(all);
  }

  /** Time goes by in beats, and every probe is answered at once; gives the probes. */
  List<Effect.Probe> live(Duration length, Verdict verdict) {
    List<Effect.Probe> asked = new ArrayList<>();
    Instant until = now.plus(length);
    while (now.isBefore(until)) {
      List<Effect.Probe> open =
          new ArrayList<>(pass(Duration.ofMillis(250)).beat().all(Effect.Probe.class));
      while (!open.isEmpty()) {
        Effect.Probe next = open.removeFirst();
        asked.add(next);
        probed(next.machine().value(), verdict, next.depth());
        open.addAll(all(Effect.Probe.class));
      }
    }
    return asked;
  }

  private Stage collected(List<Effect> all) {
    effects.clear();
    effects.addAll(all);
    return this;
  }

  Stage probed(String id, Verdict verdict, Probes.Depth depth) {
    return on(
        new Event.Probed(
            new MachineId(id),
            booked(id).bootedAt(),
            new Probes.Answer(verdict, depth, "as the test says"),
            Duration.ofMillis(3)));
  }

  /** Ends every task that was just asked for. */
  Stage end(Ending ending) {
    List<Effect> asked = List.copyOf(effects);
    List<Effect> all = new ArrayList<>();
    for (Effect effect : asked) {
      if (!(effect instanceof Effect.Perform perform)) continue;
      all.addAll(loop().on(new Event.Outcome(perform.task(), ending), now));
    }
    return collected(all);
  }

  Snapshot snapshot() {
    Instant at = now.plus(storeAhead);
    return new Snapshot(at, List.copyOf(book.values()), arrivals, waiting, List.of(), marks);
  }

  RegionLoop loop() {
    if (loop == null) {
      loop = new RegionLoop(MANDATE, declaration(), memory, () -> 0.5);
      loop.on(new Event.Beat(), now);
    }
    return loop;
  }

  Declaration declaration() {
    Template template =
        new Template(
            new TemplateVersion("7"),
            "registry/viewer@sha256:0",
            new Template.Guest("shared", 2, 2048),
            Map.of());
    return new Declaration(
        new Desired(
            template,
            bounds,
            credentials,
            false,
            Desired.AfterSession.RECYCLE,
            null,
            Map.of(),
            Set.of(),
            Set.of()),
        Policy.DEFAULT);
  }

  List<Effect> effects() {
    return List.copyOf(effects);
  }

  <T extends Effect> List<T> all(Class<T> kind) {
    return effects.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** What is done, in the plan's words; tags are another story. */
  List<String> deeds() {
    return all(Effect.Perform.class).stream()
        .map(perform -> perform.task().action())
        .filter(action -> action.kind() != ActionKind.RETAG)
        .map(Stage::words)
        .toList();
  }

  private static String words(Action action) {
    String what = action instanceof Action.Book book ? " " + book.progress() : "";
    return (action.kind() + what + " ").toLowerCase(java.util.Locale.ROOT) + action.on();
  }

  List<String> probes() {
    var asked = all(Effect.Probe.class).stream();
    return asked.map(probe -> probe.machine() + " " + probe.depth()).toList();
  }

  List<String> noted() {
    var notes = all(Effect.Note.class).stream();
    return notes.flatMap(note -> note.entries().stream()).map(Entry::kind).toList();
  }

  int target() {
    return all(Effect.Publish.class).getLast().status().target().warm();
  }

  boolean finding(Finding.Kind kind) {
    return all(Effect.Publish.class).getLast().status().findings().stream()
        .anyMatch(finding -> finding.kind() == kind);
  }

  Entry entry(String kind) {
    return new Entry("1-0", now, kind, POOL, IAD, null, null, null, "", new TreeMap<>());
  }
}
