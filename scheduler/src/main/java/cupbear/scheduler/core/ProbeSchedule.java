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
      MachineId machine, Standing standing, Health health, Asked asked, Policy policy) {
    Policy.Rhythm rhythm = policy.rhythm();
    return switch (standing) {
      case PROVING -> {
        boolean calm = Strikes.isProven(health, policy.probing()) && asked.first();
        yield Optional.of(calm ? calm(machine, asked, rhythm) : eager(asked, rhythm));
      }
      case WARM ->
          Optional.of(
              Strikes.isDoubtful(health) ? eager(asked, rhythm) : calm(machine, asked, rhythm));
      case ASSIGNED ->
          Optional.of(new Due(Need.GUACD, after(machine, asked.guacdAt(), rhythm.guacd(), rhythm)));
      case PROVISIONING, DRAINING, PARKED, CONDEMNED, UNKNOWN -> Optional.empty();
    };
  }

  private static Due eager(Asked asked, Policy.Rhythm rhythm) {
    Need need = asked.first() ? Need.FULL : Need.FIRST;
    Instant last = asked.guacdAt();
    return new Due(need, last == null ? Instant.MIN : last.plus(rhythm.proving()));
  }

  private static Due calm(MachineId machine, Asked asked, Policy.Rhythm rhythm) {
    Instant full = after(machine, asked.fullAt(), rhythm.rdp(), rhythm);
    Instant guacd = after(machine, asked.guacdAt(), rhythm.guacd(), rhythm);
    // One that is due for both is asked once: the full probe begins with guacd.
    return full.isAfter(guacd) ? new Due(Need.GUACD, guacd) : new Due(Need.FULL, full);
  }

  private static Instant after(
      MachineId machine, @Nullable Instant last, Duration length, Policy.Rhythm rhythm) {
    if (last == null) return Instant.MIN;
    long share = Math.floorMod(StableHash.mixed(machine.value() + last.toEpochMilli()), 1000);
    double stretch = 1 - rhythm.jitter() + 2 * rhythm.jitter() * ((double) share / 1000);
    return last.plusMillis((long) ((double) length.toMillis() * stretch));
  }
}
