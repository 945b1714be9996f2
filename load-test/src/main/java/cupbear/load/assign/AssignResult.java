// SPDX-License-Identifier: Apache-2.0
package cupbear.load.assign;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * What the assignment costs; medians over all rounds, times in milliseconds. CPU is that of server,
 * load and Redis together, in microseconds per request: of all figures it is the one that other
 * work on the machine disturbs least.
 */
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

  record Line(
      String what,
      int connections,
      double perSecond,
      double p50,
      double p95,
      double p99,
      double cpuMicros) {}

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

  /** Its CPU as a part of the plain way's, at 256 connections. */
  @JsonProperty
  double realToPlainCpu() {
    return real256.cpuMicros() / plain256.cpuMicros();
  }

  /** How much faster than the plain way, at 256 connections. */
  @JsonProperty
  double realToPlain() {
    return real256.perSecond() / plain256.perSecond();
  }
}
