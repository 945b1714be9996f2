// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.ActionKind;
import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.EntryKind;
import cupbear.scheduler.model.Finding;
import cupbear.scheduler.model.Health;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Plan;
import cupbear.scheduler.model.PlanDigest;
import cupbear.scheduler.model.RegionStatus;
import cupbear.scheduler.port.Probes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a loop writes into the journal: every action with its reason and how it ended, findings when
 * they come and go, and what its neighbours have to know. Never the same line again and again.
 */
final class Notes {
  /** Neighbours forget a word that is not repeated. */
  private static final Duration STATUS_REPEATED = Duration.ofSeconds(30);

  /** Plans change with every pass of a busy pool; people need time to read them. */
  private static final Duration PLAN_TOLD_EVERY = Duration.ofSeconds(5);

  private final Mandate mandate;
  private final Map<Finding.Kind, Finding> standing = new EnumMap<>(Finding.Kind.class);
  private final Map<MachineId, String> misconfigured = new HashMap<>();
  private int unmetTold;
  private PlanDigest planTold = PlanDigest.NOTHING;
  private PlanDigest plannedSince = PlanDigest.NOTHING;
  private Instant statusToldAt = Instant.MIN;

  Notes(Mandate mandate) {
    this.mandate = mandate;
  }

  List<Entry> ended(Action action, Ending ending, Instant now) {
    boolean dull = action.kind() == ActionKind.RETAG && ending instanceof Ending.Done;
    if (dull || ending instanceof Ending.NotLeading) return List.of();
    Entry entry =
        entry(EntryKind.of(action.kind()), about(action, ending), action.why().detail(), now)
            .with("on", action.on())
            .with("reason", action.why().reason().word())
            .with("outcome", ending.word());
    String trouble = trouble(ending);
    return List.of(trouble.isEmpty() ? entry : entry.with("trouble", trouble));
  }

  private static @Nullable MachineId about(Action action, Ending ending) {
    if (action instanceof Action.OnMachine on) return on.machine();
    return ending instanceof Ending.Done done ? done.made() : null;
  }

  List<Entry> planned(Plan plan, RegionStatus status, Instant now) {
    List<Entry> entries = new ArrayList<>(findings(plan, now));
    plannedSince = plannedSince.with(PlanDigest.of(plan));
    if (isStatusDue(status, now)) {
      unmetTold = status.unmet();
      planTold = plannedSince;
      plannedSince = PlanDigest.NOTHING;
      statusToldAt = now;
      entries.add(
          entry(EntryKind.REGION_STATUS, null, plan.target().why(), now)
              .with("unmet", Integer.toString(status.unmet()))
              .with("boot_ms", Long.toString(status.boot().toMillis()))
              .with("plan", planTold.text()));
    }
    return entries;
  }

  private boolean isStatusDue(RegionStatus status, Instant now) {
    if (statusToldAt.equals(Instant.MIN) || status.unmet() != unmetTold) return true;
    boolean standsOut = status.unmet() > 0 || !planTold.isEmpty();
    boolean changed = !plannedSince.equals(planTold);
    Duration pause = changed ? PLAN_TOLD_EVERY : STATUS_REPEATED;
    return (changed || standsOut) && !statusToldAt.plus(pause).isAfter(now);
  }

  void keepOnly(Set<MachineId> ids) {
    misconfigured.keySet().retainAll(ids);
  }

  /**
   * What a probe found out, where it differs from what was known before.
   *
   * @param most strikes beyond these are not told: where nothing may be destroyed a Machine goes on
   *     failing, and its story need not grow by that
   */
  List<Entry> probed(
      MachineId machine, Health before, Health after, Probes.Answer answer, int most, Instant now) {
    return switch (answer.verdict()) {
      case HEALTHY -> healthy(machine, before, now);
      case STRIKE -> {
        int strikes = after.strikes();
        yield strikes > before.strikes() && strikes <= most
            ? List.of(
                entry(EntryKind.PROBE_FAILED, machine, answer.detail(), now)
                    .with("strike", "%d of %d".formatted(strikes, most)))
            : List.of();
      }
      case MISCONFIGURED -> {
        boolean known = answer.detail().equals(misconfigured.put(machine, answer.detail()));
        yield known
            ? List.of()
            : List.of(entry(EntryKind.PROBE_MISCONFIGURED, machine, answer.detail(), now));
      }
      case PROBER_FAULT -> List.of();
    };
  }

  private List<Entry> healthy(MachineId machine, Health before, Instant now) {
    boolean wasWrong = misconfigured.remove(machine) != null;
    if (before.proven() && before.strikes() == 0 && !wasWrong) return List.of();
    String why = before.proven() ? "healthy again" : "healthy for the first time in this boot";
    return List.of(entry(EntryKind.PROBE_HEALTHY, machine, why, now));
  }

  private Entry entry(EntryKind kind, @Nullable MachineId machine, String why, Instant now) {
    return new Entry(
        "",
        now,
        kind.word(),
        mandate.pool(),
        mandate.region(),
        machine,
        null,
        mandate.epoch(),
        why,
        new TreeMap<>());
  }

  private List<Entry> findings(Plan plan, Instant now) {
    List<Entry> entries = new ArrayList<>();
    Map<Finding.Kind, Finding> found = new EnumMap<>(Finding.Kind.class);
    plan.findings().forEach(finding -> found.put(finding.kind(), finding));
    found.forEach((kind, finding) -> {
      if (standing.containsKey(kind)) return;
      entries.add(
          entry(EntryKind.FINDING_RAISED, null, finding.detail(), now).with("kind", kind.word()));
    });
    standing.forEach((kind, finding) -> {
      if (found.containsKey(kind)) return;
      entries.add(
          entry(EntryKind.FINDING_CLEARED, null, finding.detail(), now).with("kind", kind.word()));
    });
    standing.clear();
    standing.putAll(found);
    return entries;
  }

  private static String trouble(Ending ending) {
    return switch (ending) {
      case Ending.Done any -> "";
      case Ending.NotLeading any -> "";
      case Ending.Refused refused -> refused.why();
      case Ending.FlyFailed failed -> failed.kind() + ": " + failed.why();
      case Ending.StoreFailed failed -> failed.kind() + ": " + failed.why();
      case Ending.CommandFailed failed -> failed.why();
      case Ending.TimedOut late -> late.why();
    };
  }
}
