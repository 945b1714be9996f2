// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a Machine looked like after each change, so that lists and GET can lag behind: a change is
 * seen once its own lag has passed, and never un-seen for an older one. World's thread.
 */
final class History {
  // The longest lag that can be asked for; what is older than this is seen by everybody.
  static final Duration LONGEST_LAG = Duration.ofSeconds(60);

  private record Look(Instant at, Duration listLag, Duration getLag, ObjectNode json) {}

  private final List<Look> looks = new ArrayList<>();

  void add(Instant at, Duration listLag, Duration getLag, ObjectNode json) {
    Instant old = at.minus(LONGEST_LAG);
    while (looks.size() > 1 && looks.get(1).at.isBefore(old)) {
      looks.removeFirst();
    }
    looks.add(new Look(at, listLag, getLag, json));
  }

  /** As a list shows it; empty while the list does not know of it yet. */
  Optional<ObjectNode> listed(Instant now, Duration extraLag) {
    for (int i = looks.size() - 1; i >= 0; i--) {
      Look look = looks.get(i);
      Duration lag = look.listLag.compareTo(extraLag) > 0 ? look.listLag : extraLag;
      if (!look.at.plus(lag).isAfter(now)) {
        return Optional.of(look.json.deepCopy());
      }
    }
    return Optional.empty();
  }

  /** As GET shows it; a Machine that exists is always found. */
  ObjectNode read(Instant now) {
    for (int i = looks.size() - 1; i > 0; i--) {
      Look look = looks.get(i);
      if (!look.at.plus(look.getLag).isAfter(now)) {
        return look.json.deepCopy();
      }
    }
    return looks.getFirst().json.deepCopy();
  }

  ObjectNode latest() {
    return looks.getLast().json.deepCopy();
  }
}
