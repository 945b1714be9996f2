// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.util.List;
import java.util.Set;

/**
 * What the leader of a regional pool knows, for a store that lost data.
 *
 * @param remembered the Machines of its newest snapshot that Fly still lists
 * @param taggedInUse Machines whose tag at Fly says that a session was on them
 */
public record RegionReport(List<Booked> remembered, Set<MachineId> taggedInUse) {
  public RegionReport {
    remembered = List.copyOf(remembered);
    taggedInUse = Set.copyOf(taggedInUse);
  }
}
