// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import java.time.Instant;
import java.util.List;

/**
 * One page of an organisation's Machines. It may be short or empty while more remain.
 *
 * @param nextCursor empty on the last page
 * @param errorRegions regions that did not answer: a Machine missing there is not gone
 */
public record OrgMachines(
    List<OrgMachine> machines,
    String nextCursor,
    String lastMachineId,
    Instant lastUpdatedAt,
    List<String> errorRegions) {
  public OrgMachines {
    machines = Absent.list(machines);
    nextCursor = Absent.text(nextCursor);
    lastMachineId = Absent.text(lastMachineId);
    lastUpdatedAt = Absent.time(lastUpdatedAt);
    errorRegions = Absent.list(errorRegions);
  }

  public boolean isLast() {
    return nextCursor.isEmpty();
  }

  /** True when every region answered, so that absence means something. */
  public boolean isWhole() {
    return errorRegions.isEmpty();
  }
}
