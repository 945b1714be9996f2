// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The last result of one of the Machine's checks. */
public record CheckResult(String name, Status status, String output, Instant updatedAt) {

  /** {@code UNKNOWN} for a word Fly added since. */
  public enum Status {
    PASSING,
    WARNING,
    CRITICAL,
    UNKNOWN;

    @JsonCreator
    public static Status of(@Nullable String word) {
      return Words.find(Status.class, word, UNKNOWN);
    }
  }

  public CheckResult {
    name = Absent.text(name);
    status = status == null ? Status.UNKNOWN : status;
    output = Absent.text(output);
    updatedAt = Absent.time(updatedAt);
  }
}
