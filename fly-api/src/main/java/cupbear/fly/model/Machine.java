// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A Machine as Fly tells it. Fields that Fly left out are empty text, empty lists or the epoch.
 *
 * @param instanceId the version: new with every update of the configuration, not with metadata
 * @param privateIp 6PN address; may change when the Machine starts again on another host
 * @param config null when the host does not answer, and in summaries
 * @param incompleteConfig what is known of the configuration meanwhile; never clone from it
 * @param lease who holds the Machine; null when nobody does or when it was not asked for
 * @param nonce of the lease taken at birth, in the answer to a create only
 */
public record Machine(
    String id,
    String name,
    MachineState state,
    String region,
    @JsonProperty("instance_id") @JsonAlias("version") String instanceId,
    String privateIp,
    @Nullable MachineConfig config,
    @Nullable MachineConfig incompleteConfig,
    HostStatus hostStatus,
    @Nullable ImageRef imageRef,
    List<CheckResult> checks,
    List<MachineEvent> events,
    boolean cordoned,
    @Nullable Lease lease,
    String nonce,
    Instant createdAt,
    Instant updatedAt) {

  public Machine {
    id = Absent.text(id);
    name = Absent.text(name);
    state = state == null ? MachineState.of("") : state;
    region = Absent.text(region);
    instanceId = Absent.text(instanceId);
    privateIp = Absent.text(privateIp);
    hostStatus = hostStatus == null ? HostStatus.UNKNOWN : hostStatus;
    checks = Absent.list(checks);
    events = Absent.list(events);
    nonce = Absent.text(nonce);
    createdAt = Absent.time(createdAt);
    updatedAt = Absent.time(updatedAt);
  }

  /** Metadata as far as it is known; a missing key on a doubtful host proves nothing. */
  public Map<String, String> metadata() {
    if (config != null) {
      return config.metadata();
    }
    return incompleteConfig == null ? Map.of() : incompleteConfig.metadata();
  }

  /** The newest end of a process that nobody asked for, among the events that came along. */
  public Optional<ExitEvent> unexpectedExit() {
    return events.stream()
        .flatMap(event -> event.exit().stream())
        .findFirst()
        .filter(exit -> !exit.requestedStop());
  }

  /** Without the nonce. */
  @Override
  public String toString() {
    return "Machine[" + id + " " + name + " " + state + " in " + region + ", " + instanceId + "]";
  }
}
