// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import java.time.Duration;

/** How the store and the way to it behave at the moment. */
final class StoreWeather {
  /** Nobody is there: calls fail at once. */
  boolean down;

  /** The same, until another server has taken over; healing does not hurry it. */
  boolean failingOver;

  /** It stands still until then; what arrives is carried out afterwards, asked for still or not. */
  long pausedUntil;

  /** Calls that never arrive. */
  double lostBefore;

  /** Calls that are carried out, and whose answers never arrive. */
  double lostAfter;

  /** Published words that never arrive. */
  double lostWords;

  Duration extraLatency = Duration.ZERO;

  boolean isDown() {
    return down || failingOver;
  }

  void clear() {
    down = false;
    pausedUntil = 0;
    lostBefore = 0;
    lostAfter = 0;
    lostWords = 0;
    extraLatency = Duration.ZERO;
  }
}
