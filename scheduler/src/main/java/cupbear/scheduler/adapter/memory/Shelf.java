// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Proof;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.StoreRules;
import cupbear.scheduler.model.TemplateVersion;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The Machines that can be given out: warm, and not kept back by an operator.
 *
 * <p>The best one is of the newest template and was proven longest ago, but not so long that the
 * proof has run out; so proofs are used up evenly. Only when every proof of a region has run out
 * one of those is given: the newest template's youngest proof.
 *
 * <p>In Redis: {@code warm:<region>}, a sorted set of the templates on the shelf, all scores 0,
 * each member led by a text whose plain order is the template's natural order; and {@code
 * warm:<region>:<template>}, a sorted set of Machines scored by the moment their proof runs out.
 * There are two or three templates at a time, so a choice costs that many look-ups.
 */
final class Shelf {
  private record Slot(Instant trustedUntil, MachineId machine) implements Comparable<Slot> {
    private static final Comparator<Slot> ORDER =
        Comparator.comparing(Slot::trustedUntil).thenComparing(Slot::machine);

    @Override
    public int compareTo(Slot other) {
      return ORDER.compare(this, other);
    }
  }

  /** Sorts after every other Machine, so that a look-up passes all of one moment. */
  private static final MachineId LAST_NAME = new MachineId("z".repeat(64));

  private record Spot(Region region, TemplateVersion template, Slot slot) {}

  private final Map<MachineId, Spot> spots = new TreeMap<>();
  private final Map<Region, NavigableMap<TemplateVersion, TreeSet<Slot>>> regions = new TreeMap<>();

  Shelf copy() {
    Shelf copy = new Shelf();
    spots.values().forEach(copy::put);
    return copy;
  }

  /** Puts it there, or renews its proof. */
  void put(MachineRow machine, StoreRules rules) {
    remove(machine.id);
    Proof proof = machine.proof;
    Instant until = proof == null ? Instant.EPOCH : trustedUntil(proof, rules);
    put(new Spot(machine.region, machine.template, new Slot(until, machine.id)));
  }

  private void put(Spot spot) {
    spots.put(spot.slot().machine(), spot);
    regions
        .computeIfAbsent(spot.region(), any -> new TreeMap<>(Comparator.reverseOrder()))
        .computeIfAbsent(spot.template(), any -> new TreeSet<>())
        .add(spot.slot());
  }

  /** A proof is as good as the older of its halves. */
  private static Instant trustedUntil(Proof proof, StoreRules rules) {
    Instant guacd = proof.guacdAt().plus(rules.guacdTrust());
    Instant rdp = proof.rdpAt().plus(rules.rdpTrust());
    return guacd.isBefore(rdp) ? guacd : rdp;
  }

  void remove(MachineId machine) {
    Spot spot = spots.remove(machine);
    if (spot == null) return;
    var templates = regions.get(spot.region());
    var slots = templates == null ? null : templates.get(spot.template());
    if (templates == null || slots == null) return;
    slots.remove(spot.slot());
    if (slots.isEmpty()) templates.remove(spot.template());
    if (templates.isEmpty()) regions.remove(spot.region());
  }

  Optional<MachineId> best(Region region, Instant now) {
    var templates = regions.get(region);
    if (templates == null) return Optional.empty();
    for (TreeSet<Slot> slots : templates.values()) {
      Slot trusted = slots.higher(new Slot(now, LAST_NAME));
      if (trusted != null) return Optional.of(trusted.machine());
    }
    return Optional.of(templates.firstEntry().getValue().last().machine());
  }

  Set<MachineId> machines() {
    return new TreeSet<>(spots.keySet());
  }

  boolean contains(MachineId machine) {
    return spots.containsKey(machine);
  }
}
