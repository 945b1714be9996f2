// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import cupbear.scheduler.model.Region;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

/** How Fly behaves at the moment; faults change it and heal it again. */
final class FlyWeather {
  /** What a list shows. */
  enum Lists {
    FULL,
    EMPTY,
    /** A random half. */
    PARTIAL
  }

  Duration listLag = Duration.ofSeconds(1);
  Lists lists = Lists.FULL;
  boolean down;
  double errorShare;
  double limitedShare;
  double lostAnswerShare;
  double execFailShare;
  double slowBootShare;
  double stuckBootShare;
  double launchFailShare;
  double hostFullShare;
  Duration extraLatency = Duration.ZERO;
  final Set<Region> withoutCapacity = new TreeSet<>();

  void clear() {
    listLag = Duration.ofSeconds(1);
    lists = Lists.FULL;
    down = false;
    errorShare = 0;
    limitedShare = 0;
    lostAnswerShare = 0;
    execFailShare = 0;
    slowBootShare = 0;
    stuckBootShare = 0;
    launchFailShare = 0;
    hostFullShare = 0;
    extraLatency = Duration.ZERO;
    withoutCapacity.clear();
  }
}
