// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.Health;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is to be asked of a Machine next, and when: often while it is proving, now and then while it
 * is warm, gently while somebody is on it, and never when an answer would change nothing.
 */
public final class ProbeSchedule {
  /** While a Machine is proving, or doubted: somebody may be waiting for it. */
  private static final Duration PROVING = Duration.ofSeconds(1);

  private static final Duration GUACD = Duration.ofSeconds(5);
  private static final Duration FULL = Duration.ofSeconds(15);

  /** Either way; so that Machines made together are not probed together for ever. */
  private static final double JITTER = 0.2;

  /** How much to ask. */
  public enum Need {
    GUACD,
    FULL,
    /** As full, and what needs asking only once per boot. */
    FIRST
  }

  /** The next probe. */
  public record Due(Need need, Instant at) {}

  /**
   * What one boot of a Machine has been asked so far.
   *
   * @param guacdAt when guacd was last asked, in whatever probe; null for never
   * @param fullAt when it was last asked in full; null for never
   * @param first the once-per-boot question was answered well
   */
  public record Asked(@Nullable Instant guacdAt, @Nullable Instant fullAt, boolean first) {
    public static final Asked NOTHING = new Asked(null, null, false);

    public Asked with(Need need, boolean healthy, Instant at) {
      boolean once = first || (healthy && need == Need.FIRST);
      return new Asked(at, need == Need.GUACD ? fullAt : at, once);
    }
  }

  private ProbeSchedule() {}

  /** Empty when it is not to be probed. */
  public static Optional<Due> next(
      MachineId machine, Standing standing, Health health, Asked asked, Policy.Probing probing) {
    return switch (standing) {
      case PROVING ->
          Optional.of(
              Strikes.isProven(health, probing) && asked.first()
                  ? calm(machine, asked)
                  : eager(asked));
      case WARM -> Optional.of(Strikes.isDoubtful(health) ? eager(asked) : calm(machine, asked));
      case ASSIGNED -> Optional.of(new Due(Need.GUACD, after(machine, asked.guacdAt(), GUACD)));
      case PROVISIONING, DRAINING, PARKED, CONDEMNED, UNKNOWN -> Optional.empty();
    };
  }

  private static Due eager(Asked asked) {
    Need need = asked.first() ? Need.FULL : Need.FIRST;
    return new Due(need, asked.guacdAt() == null ? Instant.MIN : asked.guacdAt().plus(PROVING));
  }

  private static Due calm(MachineId machine, Asked asked) {
    Instant full = after(machine, asked.fullAt(), FULL);
    Instant guacd = after(machine, asked.guacdAt(), GUACD);
    // One that is due for both is asked once: the full probe begins with guacd.
    return full.isAfter(guacd) ? new Due(Need.GUACD, guacd) : new Due(Need.FULL, full);
  }

  private static Instant after(MachineId machine, @Nullable Instant last, Duration length) {
    if (last == null) return Instant.MIN;
    long share = Math.floorMod(StableHash.mixed(machine.value() + last.toEpochMilli()), 1000);
    double stretch = 1 - JITTER + 2 * JITTER * ((double) share / 1000);
    return last.plusMillis((long) ((double) length.toMillis() * stretch));
  }
}
