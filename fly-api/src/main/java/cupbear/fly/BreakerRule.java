// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import java.time.Duration;

/**
 * When to stop asking a host that does not answer.
 *
 * @param window how many calls are looked back on, at most 64
 * @param least no verdict from fewer calls than this
 * @param failingShare opens when this share of them failed
 * @param pause how long it stays open the first time; doubles up to {@code longestPause}
 */
public record BreakerRule(
    int window, int least, double failingShare, Duration pause, Duration longestPause) {

  public static final BreakerRule USUAL =
      new BreakerRule(20, 10, 0.5, Duration.ofSeconds(5), Duration.ofSeconds(30));

  public BreakerRule {
    if (window < 1 || window > Long.SIZE || least < 1 || least > window) {
      throw new IllegalArgumentException("a window of 1 to 64 calls, and least within it");
    }
  }
}
