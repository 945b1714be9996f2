// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import cupbear.flysim.world.Fault.Kind;
import cupbear.flysim.world.Fault.Occasion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** The faults that are set now, and the dice for those that strike by chance. World's thread. */
final class Faults {
  private final RandomGenerator random;
  private final List<Fault> set = new ArrayList<>();
  private int made;

  Faults(RandomGenerator random) {
    this.random = random;
  }

  Fault add(ObjectNode json) {
    Fault fault = Fault.read("f" + (made + 1), json);
    made++;
    set.add(fault);
    return fault;
  }

  /** Whether there was one. */
  boolean clear(String id) {
    return set.removeIf(fault -> fault.id().equals(id));
  }

  void clear() {
    set.clear();
  }

  ArrayNode toJson() {
    ArrayNode array = Json.array();
    set.forEach(fault -> array.add(fault.toJson()));
    return array;
  }

  /** The first fault of this kind that strikes here and now; it is counted as having struck. */
  Optional<Fault> strikes(Kind kind, Occasion occasion) {
    return strikes(kind, occasion, any -> true);
  }

  /** The same for those faults only that have something to say about it. */
  Optional<Fault> strikes(Kind kind, Occasion occasion, Predicate<Fault> about) {
    for (int i = 0; i < set.size(); i++) {
      Fault fault = set.get(i);
      if (fault.kind() == kind && fault.concerns(occasion) && about.test(fault) && rolls(fault)) {
        if (fault.times() == 1) {
          set.remove(i);
        } else if (fault.times() > 1) {
          set.set(i, fault.withTimes(fault.times() - 1));
        }
        return Optional.of(fault);
      }
    }
    return Optional.empty();
  }

  private boolean rolls(Fault fault) {
    return fault.probability() >= 1 || random.nextDouble() < fault.probability();
  }
}
