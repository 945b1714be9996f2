// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import java.time.Duration;

/**
 * How one caller behaves, thrown once when it arrives.
 *
 * @param hangsUp leaves while it waits
 * @param asksTwice sends the same request to two schedulers at once
 * @param replays asks again with the same key after it was served
 * @param connects confirms its session at all
 * @param renewsOnly never says "connected", but renews
 * @param vanishes ends without a word
 * @param blames says that its Machine is broken
 * @param wantsAnother and asks for another one in the same call
 */
record Manners(
    boolean hangsUp,
    boolean asksTwice,
    boolean replays,
    boolean connects,
    boolean renewsOnly,
    boolean vanishes,
    boolean blames,
    boolean wantsAnother,
    Duration patience,
    Duration stays) {

  static Manners thrown(Dice dice, double rudeness, Duration longest) {
    Duration stays = Duration.ofSeconds(10).plus(dice.exponential(Duration.ofMinutes(3)));
    return new Manners(
        dice.chance(0.05 * rudeness),
        dice.chance(0.06 * rudeness),
        dice.chance(0.05 * rudeness),
        !dice.chance(0.04 * rudeness),
        dice.chance(0.2),
        dice.chance(0.12 * rudeness),
        dice.chance(0.04 * rudeness),
        dice.chance(0.5),
        dice.chance(0.15) ? Duration.ZERO : dice.seconds(1, 20),
        stays.compareTo(longest) > 0 ? longest : stays);
  }
}
