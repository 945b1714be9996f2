// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A Machine in the list of a whole organisation.
 *
 * @param version its {@code instance_id}
 * @param config image, size and metadata only; null in summaries
 */
public record OrgMachine(
    String id,
    String appName,
    String name,
    String region,
    MachineState state,
    String privateIp,
    String version,
    Instant createdAt,
    Instant updatedAt,
    @Nullable MachineConfig config) {
  public OrgMachine {
    id = Absent.text(id);
    appName = Absent.text(appName);
    name = Absent.text(name);
    region = Absent.text(region);
    state = state == null ? MachineState.of("") : state;
    privateIp = Absent.text(privateIp);
    version = Absent.text(version);
    createdAt = Absent.time(createdAt);
    updatedAt = Absent.time(updatedAt);
  }
}
