// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.ActionKind;
import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.Finding;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Plan;
import cupbear.scheduler.model.RegionStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a loop writes into the journal: every action with its reason and how it ended, findings when
 * they come and go, and what its neighbours have to know. Never the same line again and again.
 */
final class Notes {
  /** Neighbours forget a word that is not repeated. */
  private static final Duration STATUS_REPEATED = Duration.ofSeconds(30);

  private final Mandate mandate;
  private final Map<Finding.Kind, Finding> standing = new EnumMap<>(Finding.Kind.class);
  private int unmetTold;
  private Instant statusToldAt = Instant.MIN;

  Notes(Mandate mandate) {
    this.mandate = mandate;
  }

  List<Entry> ended(Action action, Ending ending, Instant now) {
    boolean dull = action.kind() == ActionKind.RETAG && ending instanceof Ending.Done;
    if (dull || ending instanceof Ending.NotLeading) return List.of();
    MachineId machine = action instanceof Action.OnMachine on ? on.machine() : null;
    String kind = "action." + action.kind().name().toLowerCase(Locale.ROOT);
    Entry entry =
        entry(kind, machine, action.why().detail(), now)
            .with("on", action.on())
            .with("reason", action.why().reason().word())
            .with("outcome", ending.word());
    String trouble = trouble(ending);
    return List.of(trouble.isEmpty() ? entry : entry.with("trouble", trouble));
  }

  List<Entry> planned(Plan plan, RegionStatus status, Instant now) {
    List<Entry> entries = new ArrayList<>(findings(plan, now));
    boolean due = status.unmet() > 0 && !statusToldAt.plus(STATUS_REPEATED).isAfter(now);
    if (status.unmet() != unmetTold || statusToldAt.equals(Instant.MIN) || due) {
      unmetTold = status.unmet();
      statusToldAt = now;
      entries.add(
          entry("region.status", null, plan.target().why(), now)
              .with("unmet", Integer.toString(status.unmet()))
              .with("boot_ms", Long.toString(status.boot().toMillis())));
    }
    return entries;
  }

  Entry entry(String kind, @Nullable MachineId machine, String why, Instant now) {
    return new Entry(
        "",
        now,
        kind,
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
      entries.add(entry("finding.raised", null, finding.detail(), now).with("kind", kind.word()));
    });
    standing.forEach((kind, finding) -> {
      if (found.containsKey(kind)) return;
      entries.add(entry("finding.cleared", null, finding.detail(), now).with("kind", kind.word()));
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
