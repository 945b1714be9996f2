// SPDX-License-Identifier: Apache-2.0
package cupbear.load.assign;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/** What the assignment costs; medians over all rounds, times in milliseconds. */
record AssignResult(
    int rounds,
    int requestsPerRound,
    Line raw,
    Line constant,
    Line real50,
    Line real256,
    Line plain50,
    Line plain256,
    @Nullable Growth growth) {

  record Line(String what, int connections, double perSecond, double p50, double p95, double p99) {}

  /** What a claim costs the server in a small and in a large pool. */
  record Growth(
      int smallPool, double smallMicros, int largePool, double largeMicros, double ratio) {}

  AssignResult with(Growth measured) {
    return new AssignResult(
        rounds, requestsPerRound, raw, constant, real50, real256, plain50, plain256, measured);
  }

  /** How near the real path comes to the lower of its two limits, at 256 connections. */
  @JsonProperty
  double realToLimit() {
    return real256.perSecond() / Math.min(raw.perSecond(), constant.perSecond());
  }

  /** How much faster than the plain way, at 256 connections. */
  @JsonProperty
  double realToPlain() {
    return real256.perSecond() / plain256.perSecond();
  }
}
