// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.EntryKind;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Marks.Mark;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.Standing;
import java.util.Locale;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An operator's wish: {@code mark.lua}. */
final class Marking {
  private final Step step;
  private final PoolState pool;

  Marking(Step step) {
    this.step = step;
    this.pool = step.pool;
  }

  void mark(Region region, @Nullable MachineId machine, Mark mark, boolean on) {
    if (machine == null) markRegion(region, mark, on);
    else markMachine(region, machine, mark, on);
    EntryKind kind = on ? EntryKind.OPERATOR_MARKED : EntryKind.OPERATOR_UNMARKED;
    String word = mark.name().toLowerCase(Locale.ROOT);
    step.write(
        new Entry(
            "",
            step.now,
            kind.word(),
            pool.name,
            region,
            machine,
            null,
            null,
            word,
            new TreeMap<>()));
  }

  private void markRegion(Region region, Mark mark, boolean on) {
    pool.marks.region(region, mark, on);
    if (!pool.marks.isClosed(region)) new Granting(step).serveFrom(region);
  }

  private void markMachine(Region region, MachineId id, Mark mark, boolean on) {
    pool.marks.machine(region, id, mark, on);
    if (pool.marks.isKeptBack(id)) {
      pool.shelf.remove(id);
      return;
    }
    MachineRow row = pool.machine(id);
    boolean comesBack = row != null && row.standing() == Standing.WARM && !pool.shelf.contains(id);
    if (row != null && comesBack) new Granting(step).offer(row, null);
  }
}
