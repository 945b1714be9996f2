// SPDX-License-Identifier: Apache-2.0
package cupbear.load.run;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A user who comes, as decided before the run began.
 *
 * @param at when, from the start of the scenario
 * @param region preferred; null for no preference
 * @param stays how long they look at the desktop
 * @param waits how long they are ready to queue
 */
record Arrival(
    int number, Duration at, @Nullable String region, String tenant, Duration stays, Duration waits)
    implements Comparable<Arrival> {
  @Override
  public int compareTo(Arrival other) {
    int byTime = at.compareTo(other.at);
    return byTime != 0 ? byTime : Integer.compare(number, other.number);
  }
}
