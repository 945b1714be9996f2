// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One line of the journal: what happened, to what, why. Never a secret.
 *
 * @param id grows within a pool; empty before it is written
 * @param kind a closed vocabulary of dotted words, such as {@code session.granted}
 * @param data further facts, small
 */
public record Entry(
    String id,
    Instant at,
    String kind,
    PoolName pool,
    @Nullable Region region,
    @Nullable MachineId machine,
    @Nullable SessionId session,
    @Nullable Epoch epoch,
    String why,
    SortedMap<String, String> data) {
  public Entry {
    data = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(data));
  }

  public Entry with(String key, String value) {
    Map<String, String> next = new TreeMap<>(data);
    next.put(key, value);
    return new Entry(id, at, kind, pool, region, machine, session, epoch, why, new TreeMap<>(next));
  }
}
