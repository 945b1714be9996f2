// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import java.time.Duration;

/**
 * How Redis is called.
 *
 * @param lanes connections per pool; more of them pay with distance
 * @param queueMax calls that may wait per lane; more are refused at once
 * @param timeout for connecting and for one round trip
 * @param callWithin how long a call may wait and travel before its caller is told
 * @param strict answer only what a replica has acknowledged
 */
public record RedisSettings(
    int lanes, int queueMax, Duration timeout, Duration callWithin, boolean strict) {
  public static final RedisSettings DEFAULT =
      new RedisSettings(4, 4_096, Duration.ofSeconds(1), Duration.ofSeconds(2), false);

  public RedisSettings {
    if (lanes < 1 || lanes > 16) {
      throw new IllegalArgumentException("redis lanes is " + lanes + "; give 1 to 16");
    }
  }
}
