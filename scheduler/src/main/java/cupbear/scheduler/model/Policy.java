// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.time.Duration;

/** The thresholds of all decisions, with the defaults of the product. */
public record Policy(
    Pass pass, Trust trust, Probing probing, Rhythm rhythm, Sizing sizing, Turnover turnover) {
  public static final Policy DEFAULT =
      new Policy(
          Pass.DEFAULT,
          Trust.DEFAULT,
          Probing.DEFAULT,
          Rhythm.DEFAULT,
          Sizing.DEFAULT,
          Turnover.DEFAULT);

  public Policy with(Pass other) {
    return new Policy(other, trust, probing, rhythm, sizing, turnover);
  }

  /**
   * One pass of the loop.
   *
   * @param staleTicks a view older than this many ticks moves nothing
   * @param maxActions more than these wait for the next pass, which follows at once
   * @param answerWithin how long an accepted action may stay invisible in the lists
   */
  public record Pass(Duration every, int staleTicks, int maxActions, Duration answerWithin) {
    public static final Pass DEFAULT =
        new Pass(Duration.ofSeconds(5), 3, 10, Duration.ofMinutes(1));

    public Pass {
      if (maxActions < 1) {
        throw new IllegalArgumentException("max_actions is " + maxActions + "; at least 1");
      }
    }

    public Duration staleAfter() {
      return every.multipliedBy(staleTicks);
    }
  }

  /**
   * When to stop believing Fly's lists, and when to stop asking for Machines.
   *
   * @param collapseShare a list that lost more than this share of what was known has collapsed
   * @param collapseMoreThan and more than these: a handful may go at once for good reasons
   * @param agreeingLists so many lists in a row have to tell the same to be believed again
   * @param createFailures so many in a row mean that the region is short, not that it was bad luck
   */
  public record Trust(
      double collapseShare,
      int collapseMoreThan,
      int agreeingLists,
      int createFailures,
      Duration createBackoffMin,
      Duration createBackoffMax) {
    public static final Trust DEFAULT =
        new Trust(0.5, 3, 2, 3, Duration.ofSeconds(1), Duration.ofSeconds(60));
  }

  /**
   * Health.
   *
   * @param round a probe result older than this belongs to an earlier round
   * @param trust a healthy answer younger than this outweighs a list that says "down"
   * @param hostGrace how long {@code host_status} may be doubtful before a Machine is replaced
   * @param bootDeadline how long a boot may take until enough of them were measured
   * @param bootDeadlineFactor from then on this many times their p99
   */
  public record Probing(
      int strikesOut,
      int healthyRounds,
      double brakeShare,
      int brakeAtLeast,
      Duration round,
      Duration trust,
      Duration hostGrace,
      Duration bootDeadline,
      double bootDeadlineFactor) {
    public static final Probing DEFAULT =
        new Probing(
            3,
            2,
            0.3,
            3,
            Duration.ofSeconds(20),
            Duration.ofSeconds(10),
            Duration.ofMinutes(1),
            Duration.ofMinutes(3),
            2);
  }

  /**
   * How often Machines are asked whether they are well.
   *
   * @param proving while a Machine is proving, or doubted: somebody may be waiting for it
   * @param jitter share of an interval, either way, so that Machines made together are not probed
   *     together for ever
   */
  public record Rhythm(Duration proving, Duration guacd, Duration rdp, double jitter) {
    public static final Rhythm DEFAULT =
        new Rhythm(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(15), 0.2);
  }

  /**
   * How many.
   *
   * @param missTarget accepted chance that a request finds no warm Machine
   * @param bootAssumed lead time until boots have been measured
   * @param idleBeforeDrain how long a Machine must have been idle before it counts as surplus
   */
  public record Sizing(
      double missTarget,
      Duration bootAssumed,
      Duration fastWindow,
      Duration slowWindow,
      int spikeDepth,
      Duration spikeQueueP95,
      Duration hold,
      Duration idleBeforeDrain) {
    public static final Sizing DEFAULT =
        new Sizing(
            0.01,
            Duration.ofMinutes(1),
            Duration.ofMinutes(1),
            Duration.ofMinutes(10),
            10,
            Duration.ofMillis(400),
            Duration.ofMinutes(5),
            Duration.ofMinutes(10));

    public Sizing {
      if (!(missTarget > 0 && missTarget < 1)) {
        throw new IllegalArgumentException(
            "miss target is " + missTarget + "; give a share between 0 and 1, such as 0.01");
      }
    }
  }

  /**
   * Replacing what is old, stuck or lost.
   *
   * @param rollShare share of the idle Machines that one batch of a template roll takes
   * @param drainDeadline teardown and stop together; a Machine slower than this is destroyed
   * @param strayGrace a session on an unknown Machine has renewed within this, or is gone
   * @param lostGrace a gateway has heard of its lost session within this: one renew window
   */
  public record Turnover(
      Duration maxIdleAge,
      double rollShare,
      Duration drainDeadline,
      Duration strayGrace,
      Duration lostGrace) {
    public static final Turnover DEFAULT =
        new Turnover(
            Duration.ofHours(12),
            0.25,
            Duration.ofMinutes(5),
            Duration.ofMinutes(1),
            Duration.ofSeconds(20));
  }
}
