// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Marks;
import cupbear.scheduler.model.Marks.Mark;
import cupbear.scheduler.model.Region;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What operators asked for. To drain implies to cordon: what is to leave is not given out
 * meanwhile. In Redis: a set {@code marks:<region>} of {@code drain}, {@code cordon}, {@code
 * pause}, {@code drain:<machine>}, {@code cordon:<machine>}.
 */
final class Marked {
  private final Map<Mark, Set<Region>> regions = new EnumMap<>(Mark.class);
  private final Map<Mark, Map<MachineId, Region>> machines = new EnumMap<>(Mark.class);

  Marked() {
    for (Mark mark : Mark.values()) {
      regions.put(mark, new TreeSet<>());
      machines.put(mark, new TreeMap<>());
    }
  }

  Marked copy() {
    Marked copy = new Marked();
    regions.forEach((mark, set) -> copy.of(mark).addAll(set));
    machines.forEach((mark, map) -> copy.on(mark).putAll(map));
    return copy;
  }

  private Set<Region> of(Mark mark) {
    return regions.computeIfAbsent(mark, any -> new TreeSet<>());
  }

  private Map<MachineId, Region> on(Mark mark) {
    return machines.computeIfAbsent(mark, any -> new TreeMap<>());
  }

  void region(Region region, Mark mark, boolean on) {
    if (on) of(mark).add(region);
    else of(mark).remove(region);
  }

  void machine(Region region, MachineId machine, Mark mark, boolean on) {
    if (on) on(mark).put(machine, region);
    else on(mark).remove(machine);
  }

  void forget(MachineId machine) {
    machines.values().forEach(map -> map.remove(machine));
  }

  /** Is nothing of this region given out? */
  boolean isClosed(Region region) {
    return of(Mark.CORDON).contains(region) || of(Mark.DRAIN).contains(region);
  }

  /** Is this very Machine kept back? */
  boolean isKeptBack(MachineId machine) {
    return on(Mark.CORDON).containsKey(machine) || on(Mark.DRAIN).containsKey(machine);
  }

  Marks view(Region region) {
    return new Marks(
        machinesOf(region, Mark.DRAIN),
        machinesOf(region, Mark.CORDON),
        of(Mark.CORDON).contains(region),
        of(Mark.DRAIN).contains(region),
        of(Mark.PAUSE).contains(region));
  }

  private Set<MachineId> machinesOf(Region region, Mark mark) {
    Set<MachineId> found = new TreeSet<>();
    on(mark)
        .forEach((machine, where) -> {
          if (where.equals(region)) found.add(machine);
        });
    return found;
  }
}
