// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One line of a Machine's history; lists of them are newest first.
 *
 * @param timestamp milliseconds since the epoch
 * @param source {@code user} for an API call, {@code flyd} for the platform
 * @param exitEvent null unless a process ended
 */
public record MachineEvent(
    String id,
    String type,
    String status,
    String source,
    long timestamp,
    @Nullable ExitEvent exitEvent,
    int restartCount) {

  public MachineEvent {
    id = Absent.text(id);
    type = Absent.text(type);
    status = Absent.text(status);
    source = Absent.text(source);
  }

  /** The payload sits in one of two places; the monitor's copy is the better one. */
  record Request(
      @Nullable ExitEvent exitEvent,
      int restartCount,
      @JsonProperty("MonitorEvent") @Nullable Monitor monitor) {
    record Monitor(@Nullable ExitEvent exitEvent) {}

    @Nullable ExitEvent exit() {
      return monitor != null && monitor.exitEvent() != null ? monitor.exitEvent() : exitEvent;
    }
  }

  @JsonCreator
  static MachineEvent read(
      @JsonProperty("id") @Nullable String id,
      @JsonProperty("type") @Nullable String type,
      @JsonProperty("status") @Nullable String status,
      @JsonProperty("source") @Nullable String source,
      @JsonProperty("timestamp") long timestamp,
      @JsonProperty("request") @Nullable Request request) {
    return new MachineEvent(
        Absent.text(id),
        Absent.text(type),
        Absent.text(status),
        Absent.text(source),
        timestamp,
        request == null ? null : request.exit(),
        request == null ? 0 : request.restartCount());
  }

  public Instant at() {
    return Instant.ofEpochMilli(timestamp);
  }

  public Optional<ExitEvent> exit() {
    return Optional.ofNullable(exitEvent);
  }
}
