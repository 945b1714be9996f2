// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One Machine of the app as one Fly list shows it, in our words.
 *
 * @param ours it carries our {@code managed_by}; anything else is never touched
 * @param address its 6PN address; null while Fly has not said it
 * @param since when it came to be so, by Fly's word; null when the list does not say
 * @param exitedAt the newest exit that nobody asked for; null when there is none
 * @param createdAt null when the list does not say
 */
public record Listed(
    MachineId id,
    String name,
    Region region,
    boolean ours,
    Power power,
    @Nullable String address,
    boolean hostOk,
    @Nullable Instant since,
    @Nullable Instant exitedAt,
    @Nullable Instant createdAt,
    Map<String, String> tags) {
  public Listed {
    tags = Map.copyOf(tags);
  }

  /** The pool it belongs to, by its tag. */
  public Optional<PoolName> pool() {
    String pool = tags.get("pool");
    return ours && pool != null && Words.NAME.matcher(pool).matches()
        ? Optional.of(new PoolName(pool))
        : Optional.empty();
  }
}
