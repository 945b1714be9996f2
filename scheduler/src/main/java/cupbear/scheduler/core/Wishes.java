// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.Desired;
import cupbear.scheduler.model.Marks;
import java.util.HashSet;
import java.util.Set;

/** What is declared for a regional pool, and what operators wish on top of it. */
public final class Wishes {
  private Wishes() {}

  /** A region that is to be drained wants nothing warm; what is parked may stay parked. */
  public static Desired of(Desired declared, Marks marks) {
    var bounds = declared.bounds();
    return new Desired(
        declared.template(),
        marks.regionDraining() ? new Desired.Bounds(0, 0, bounds.parkedMax()) : bounds,
        declared.credentials(),
        declared.playbook(),
        declared.afterSession(),
        declared.budget(),
        declared.tags(),
        union(declared.drain(), marks.drain()),
        union(declared.cordoned(), marks.cordoned()));
  }

  private static <T> Set<T> union(Set<T> one, Set<T> other) {
    if (other.isEmpty()) return one;
    Set<T> all = new HashSet<>(one);
    all.addAll(other);
    return all;
  }
}
