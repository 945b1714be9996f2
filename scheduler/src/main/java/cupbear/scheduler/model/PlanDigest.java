// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A plan in a few words, for replicas that do not lead and for people: how many of which action,
 * and why. Tags are left out: they follow every change, and nobody decides by them.
 */
public record PlanDigest(SortedMap<Step, Integer> counts) {
  public static final PlanDigest NOTHING = new PlanDigest(new TreeMap<>());

  /** What is done for one reason. In the order in which a plan lists actions. */
  public record Step(ActionKind kind, Reason reason) implements Comparable<Step> {
    @Override
    public int compareTo(Step other) {
      int byKind = kind.compareTo(other.kind);
      return byKind != 0 ? byKind : reason.compareTo(other.reason);
    }

    private String text() {
      return "%s/%s".formatted(kind.name().toLowerCase(Locale.ROOT), reason.word());
    }
  }

  public PlanDigest {
    counts = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(counts));
  }

  public static PlanDigest of(Plan plan) {
    SortedMap<Step, Integer> counts = new TreeMap<>();
    for (Action action : plan.actions()) {
      if (action.kind() == ActionKind.RETAG) continue;
      counts.merge(new Step(action.kind(), action.why().reason()), 1, Integer::sum);
    }
    return new PlanDigest(counts);
  }

  public boolean isEmpty() {
    return counts.isEmpty();
  }

  /** Both: of each step the larger number, because a pass repeats what could not be done yet. */
  public PlanDigest with(PlanDigest other) {
    SortedMap<Step, Integer> both = new TreeMap<>(counts);
    other.counts.forEach((step, count) -> both.merge(step, count, Math::max));
    return new PlanDigest(both);
  }

  /** Such as {@code start/under_target/1 create/under_target/2}. */
  public String text() {
    return counts.entrySet().stream()
        .map(each -> each.getKey().text() + "/" + each.getValue())
        .collect(Collectors.joining(" "));
  }

  /** Empty when another version wrote what this one cannot read. */
  public static Optional<PlanDigest> read(String text) {
    SortedMap<Step, Integer> counts = new TreeMap<>();
    if (text.isEmpty()) return Optional.of(NOTHING);
    for (String each : text.split(" ", -1)) {
      String[] parts = each.split("/", -1);
      if (parts.length != 3) return Optional.empty();
      try {
        ActionKind kind = ActionKind.valueOf(parts[0].toUpperCase(Locale.ROOT));
        Reason reason = Reason.valueOf(parts[1].toUpperCase(Locale.ROOT));
        counts.put(new Step(kind, reason), Integer.parseUnsignedInt(parts[2]));
      } catch (IllegalArgumentException unreadable) {
        return Optional.empty();
      }
    }
    return Optional.of(new PlanDigest(counts));
  }
}
