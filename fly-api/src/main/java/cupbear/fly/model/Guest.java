// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import java.util.Map;

/**
 * Size of a Machine.
 *
 * @param cpuKind {@code shared} or {@code performance}
 * @param other what Fly knows beyond these; kept, so that an update loses nothing
 */
public record Guest(
    String cpuKind,
    int cpus,
    int memoryMb,
    @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {
  public Guest {
    cpuKind = Absent.text(cpuKind);
    other = Absent.map(other);
  }

  public Guest(String cpuKind, int cpus, int memoryMb) {
    this(cpuKind, cpus, memoryMb, Map.of());
  }
}
