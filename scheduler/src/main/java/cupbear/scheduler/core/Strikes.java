// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.Health;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.Verdict;
import java.time.Instant;

/** How probe results add up: cheap to doubt, slow to trust again, three to be out. */
public final class Strikes {
  private Strikes() {}

  public static Health after(Health health, Verdict verdict, Instant now) {
    return switch (verdict) {
      case HEALTHY -> new Health(0, plusOne(health.passes()), true, now, now);
      case STRIKE -> struck(health, now);
      case MISCONFIGURED -> answered(health, now);
      case PROBER_FAULT -> health;
    };
  }

  private static Health answered(Health health, Instant now) {
    return new Health(health.strikes(), health.passes(), health.proven(), health.provenAt(), now);
  }

  /** Before its first healthy round a Machine is booting; the boot deadline judges it, not we. */
  private static Health struck(Health health, Instant now) {
    int strikes = health.proven() ? plusOne(health.strikes()) : 0;
    return new Health(strikes, 0, health.proven(), health.provenAt(), now);
  }

  public static boolean isOut(Health health, Policy.Probing probing) {
    return health.strikes() >= probing.strikesOut();
  }

  /** One failed probe is enough to take a warm Machine off the shelf. */
  public static boolean isDoubtful(Health health) {
    return health.probedAt() != null && health.passes() == 0;
  }

  public static boolean isProven(Health health, Policy.Probing probing) {
    return health.passes() >= probing.healthyRounds();
  }

  private static int plusOne(int count) {
    return count == Integer.MAX_VALUE ? count : count + 1;
  }
}
