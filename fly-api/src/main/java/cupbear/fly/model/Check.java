// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import java.time.Duration;
import java.util.Map;

/** A check that Fly runs against a port; informational, it never restarts anything. */
public record Check(
    String type,
    int port,
    Duration interval,
    Duration timeout,
    Duration gracePeriod,
    @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {
  public Check {
    type = Absent.text(type);
    interval = interval == null ? Duration.ZERO : interval;
    timeout = timeout == null ? Duration.ZERO : timeout;
    gracePeriod = gracePeriod == null ? Duration.ZERO : gracePeriod;
    other = Absent.map(other);
  }

  public static Check tcp(int port, Duration interval, Duration timeout, Duration grace) {
    return new Check("tcp", port, interval, timeout, grace, Map.of());
  }
}
