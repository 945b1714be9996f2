// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.Snapshot.Waited;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the demand rule asks of a region. In Redis: the hash {@code arrivals} of counters by region,
 * and the capped lists {@code waits:<region>}.
 */
final class Figures {
  private final Map<Region, Long> arrivals = new TreeMap<>();
  private final Map<Region, Deque<Waited>> waits = new TreeMap<>();

  Figures copy() {
    Figures copy = new Figures();
    copy.arrivals.putAll(arrivals);
    waits.forEach((region, list) -> copy.waits.put(region, new ArrayDeque<>(list)));
    return copy;
  }

  void arrived(Region region) {
    arrivals.merge(region, 1L, Long::sum);
  }

  void waited(Region region, Waited waited, int most) {
    Deque<Waited> list = waits.computeIfAbsent(region, any -> new ArrayDeque<>());
    list.addLast(waited);
    if (list.size() > most) list.removeFirst();
  }

  long arrivals(Region region) {
    return arrivals.getOrDefault(region, 0L);
  }

  List<Waited> waits(Region region) {
    Deque<Waited> list = waits.get(region);
    return list == null ? List.of() : List.copyOf(list);
  }
}
