// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.ActionKind;
import cupbear.scheduler.model.BootFigures;
import cupbear.scheduler.model.Capacity;
import cupbear.scheduler.model.Demand;
import cupbear.scheduler.model.Desired;
import cupbear.scheduler.model.Expected;
import cupbear.scheduler.model.Finding;
import cupbear.scheduler.model.Listing;
import cupbear.scheduler.model.Machine;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Observed;
import cupbear.scheduler.model.Plan;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.Stray;
import cupbear.scheduler.model.Template;
import cupbear.scheduler.model.TemplateVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A regional pool as a test tells it, and the row of a table that it makes. */
final class Pool {
  static final Instant NOW = Instant.parse("2026-11-18T12:00:00Z");
  static final PoolName NAME = new PoolName("viewers");
  static final Region IAD = new Region("iad");

  private final String name;
  private final List<Machine> machines = new ArrayList<>();
  private final List<Expected> expected = new ArrayList<>();
  private final List<Stray> strays = new ArrayList<>();
  private final Set<MachineId> cordoned = new HashSet<>();
  private final Set<MachineId> drain = new HashSet<>();
  private Desired.Bounds bounds = new Desired.Bounds(3, 5, 5);
  private Listing listing = Listing.fresh(NOW.minusSeconds(1));
  private Demand demand = Demand.NONE;
  private Capacity capacity = Capacity.AMPLE;
  private BootFigures boot = BootFigures.NONE;
  private boolean credentials;
  private boolean playbook;
  private Desired.AfterSession after = Desired.AfterSession.RECYCLE;
  private Desired.@Nullable Budget budget;
  private int foreign;
  private Policy policy = Policy.DEFAULT;

  private List<String> actions = List.of();
  private final List<String> findings = new ArrayList<>();
  private boolean partial;
  private int unmet;

  private Pool(String name) {
    this.name = name;
  }

  static Pool row(String name) {
    return new Pool(name);
  }

  Pool bounds(int min, int max) {
    return bounds(min, max, max);
  }

  Pool bounds(int min, int max, int parkedMax) {
    bounds = new Desired.Bounds(min, max, parkedMax);
    return this;
  }

  Pool with(Seen... some) {
    for (Seen each : some) machines.add(each.machine());
    return this;
  }

  /** This many warm Machines, w1, w2, …, the first idle the longest. */
  Pool warm(int count) {
    for (int i = 1; i <= count; i++) {
      with(Seen.warm("w" + i).idle(Duration.ofSeconds(300 - i)));
    }
    return this;
  }

  Pool expecting(ActionKind kind, String on) {
    expected.add(new Expected(kind, on, NOW.plusSeconds(30), false));
    return this;
  }

  Pool expired(ActionKind kind, String on) {
    expected.add(new Expected(kind, on, NOW, false));
    return this;
  }

  Pool refused(ActionKind kind, String on) {
    expected.add(new Expected(kind, on, NOW.plusSeconds(30), true));
    return this;
  }

  Pool stray(String id, Duration seenFor) {
    strays.add(new Stray(new MachineId(id), "name-" + id, NOW.minus(seenFor)));
    return this;
  }

  Pool strayNamed(String id, String called, Duration seenFor) {
    strays.add(new Stray(new MachineId(id), called, NOW.minus(seenFor)));
    return this;
  }

  Pool cordoned(String id) {
    cordoned.add(new MachineId(id));
    return this;
  }

  Pool operatorDrains(String id) {
    drain.add(new MachineId(id));
    return this;
  }

  Pool listing(@Nullable Instant listedAt, @Nullable Instant bookedAt) {
    listing = new Listing(listedAt, bookedAt, true, 0, 0);
    return this;
  }

  Pool collapsed(int known, int lost) {
    listing = new Listing(NOW, NOW, false, known, lost);
    return this;
  }

  Pool demand(Demand given) {
    demand = given;
    return this;
  }

  /** This target was held within the last minutes. */
  Pool held(int target) {
    return demand(new Demand(0, 0, 0, 0, 0, Duration.ZERO, target));
  }

  Pool queue(int depth, Duration p95) {
    return demand(new Demand(0, 0, 0, 0, depth, p95, 0));
  }

  Pool capacity(int failures, @Nullable Instant retryAt) {
    capacity = new Capacity(failures, retryAt);
    return this;
  }

  Pool boots(int samples, Duration p99) {
    boot = new BootFigures(samples, p99, p99);
    return this;
  }

  Pool credentials() {
    credentials = true;
    return this;
  }

  Pool playbook() {
    playbook = true;
    return this;
  }

  Pool destroyAfterSession() {
    after = Desired.AfterSession.DESTROY;
    return this;
  }

  Pool budget(double perHour, double price) {
    budget = new Desired.Budget(perHour, price);
    return this;
  }

  Pool foreign(int count) {
    foreign = count;
    return this;
  }

  Pool maxActions(int most) {
    Policy.Pass pass = Policy.Pass.DEFAULT;
    Policy.Pass limited =
        new Policy.Pass(pass.every(), pass.staleTicks(), most, pass.answerWithin());
    policy = policy.with(limited);
    return this;
  }

  /** Each as "kind subject reason", in order. */
  Pool expect(String... wanted) {
    actions = List.of(wanted);
    return this;
  }

  Pool finding(Finding.Kind... kinds) {
    for (Finding.Kind kind : kinds) findings.add(kind.word());
    return this;
  }

  Pool partial() {
    partial = true;
    return this;
  }

  Pool unmet(int count) {
    unmet = count;
    return this;
  }

  /** What the row expects, in the form of {@link #said}. */
  String expectation() {
    return said(actions, findings, partial, unmet);
  }

  Plan plan() {
    return Reconciler.plan(observed(machines), desired(), policy, NOW);
  }

  Plan planShuffled(Random random) {
    List<Machine> shuffled = new ArrayList<>(machines);
    Collections.shuffle(shuffled, random);
    return Reconciler.plan(observed(shuffled), desired(), policy, NOW);
  }

  List<Machine> machines() {
    return List.copyOf(machines);
  }

  private Observed observed(List<Machine> those) {
    return new Observed(
        NAME, IAD, listing, those, strays, foreign, expected, demand, capacity, boot);
  }

  Desired desired() {
    Template template =
        new Template(
            new TemplateVersion("7"),
            "registry.example/viewer",
            new Template.Guest("shared", 2, 2048),
            Map.of());
    return new Desired(
        template, bounds, credentials, playbook, after, budget, Seen.TAGS, drain, cordoned);
  }

  static String said(Plan plan) {
    return said(
        plan.actions().stream().map(Pool::said).toList(),
        plan.findings().stream().map(finding -> finding.kind().word()).toList(),
        plan.partial(),
        plan.unmet());
  }

  private static String said(
      List<String> actions, List<String> findings, boolean partial, int unmet) {
    return actions.stream().map(action -> "\n  " + action).collect(Collectors.joining())
        + "\n  findings "
        + findings
        + (partial ? ", partial" : "")
        + (unmet > 0 ? ", unmet " + unmet : "");
  }

  private static String said(Action action) {
    String kind = action.kind().name().toLowerCase(Locale.ROOT);
    String more = action instanceof Action.Book book ? " " + book.progress() : "";
    return "%s %s %s%s"
        .formatted(kind, action.on(), action.why().reason().word(), more.toLowerCase(Locale.ROOT));
  }

  @Override
  public String toString() {
    return name;
  }
}
