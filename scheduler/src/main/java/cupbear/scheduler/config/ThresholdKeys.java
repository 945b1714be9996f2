// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import static cupbear.scheduler.config.Amounts.POSITIVE;
import static cupbear.scheduler.config.Kind.count;
import static cupbear.scheduler.config.Kind.number;
import static cupbear.scheduler.config.Kind.share;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import cupbear.scheduler.config.Key.Table;
import java.time.Duration;
import java.util.List;

/**
 * The thresholds of the pools. Each holds for all pools where it stands at the top, and for one
 * alone where it stands in that pool.
 */
final class ThresholdKeys {
  private static final Table TABLE = new Table("", true);

  // One pass of the loop.
  static final Key<Duration> EVERY =
      TABLE.key(
          "reconcile.every", POSITIVE, ofSeconds(5), "how often a regional pool is looked at");
  static final Key<Integer> STALE_TICKS =
      TABLE.key("reconcile.stale_ticks", count(1, 100), 3, "an older view moves nothing");
  static final Key<Integer> MAX_ACTIONS =
      TABLE.key(
          "reconcile.max_actions", count(1, 1000), 10, "actions per pass; then again at once");
  static final Key<Duration> ANSWER_WITHIN =
      TABLE.key(
          "reconcile.answer_within",
          POSITIVE,
          ofMinutes(1),
          "how long an accepted action may stay invisible in Fly's lists");
  static final Key<Double> COLLAPSE_SHARE =
      TABLE.key(
          "reconcile.collapse_share",
          share(),
          0.5,
          "a list that lost more than this share of the known Machines is not believed");
  static final Key<Integer> COLLAPSE_MORE_THAN =
      TABLE.key(
          "reconcile.collapse_more_than", count(0), 3, "… if it lost more Machines than this");
  static final Key<Integer> AGREEING_LISTS =
      TABLE.key("reconcile.agreeing_lists", count(1, 100), 2, "so many lists restore the trust");
  static final Key<Integer> CREATE_FAILURES =
      TABLE.key(
          "reconcile.create_failures",
          count(1, 100),
          3,
          "failed creates in a row that mark a region short of capacity");
  static final Key<Duration> CREATE_BACKOFF_MIN =
      TABLE.key("reconcile.create_backoff_min", POSITIVE, ofSeconds(1), "first pause after that");
  static final Key<Duration> CREATE_BACKOFF_MAX =
      TABLE.key("reconcile.create_backoff_max", POSITIVE, ofSeconds(60), "longest pause");

  // Health.
  static final Key<Duration> PROVING_EVERY =
      TABLE.key("health.proving_every", POSITIVE, ofSeconds(1), "guacd probe while proving");
  static final Key<Duration> GUACD_EVERY =
      TABLE.key("health.guacd_every", POSITIVE, ofSeconds(5), "guacd probe of a warm Machine");
  static final Key<Duration> RDP_EVERY =
      TABLE.key("health.rdp_every", POSITIVE, ofSeconds(15), "RDP probe of a warm Machine");
  static final Key<Double> JITTER =
      TABLE.key(
          "health.jitter",
          number(value -> value >= 0 && value <= 0.5, "a share from 0 to 0.5"),
          0.2,
          "probes are spread by up to this share of their interval, both ways");
  static final Key<Duration> GUACD_TRUST =
      TABLE.key(
          "health.guacd_trust", POSITIVE, ofSeconds(10), "an older guacd proof is renewed first");
  static final Key<Duration> RDP_TRUST =
      TABLE.key("health.rdp_trust", POSITIVE, ofSeconds(30), "an older RDP proof is renewed first");
  static final Key<Duration> ROUND =
      TABLE.key(
          "health.round",
          POSITIVE,
          ofSeconds(20),
          "older results belong to an earlier probe round");
  static final Key<Integer> HEALTHY_ROUNDS =
      TABLE.key("health.healthy_rounds", count(1, 100), 2, "healthy rounds that make it warm");
  static final Key<Integer> STRIKES =
      TABLE.key("health.strikes", count(1, 100), 3, "failed probes in a row that destroy it");
  static final Key<Double> BRAKE_SHARE =
      TABLE.key(
          "health.brake_share",
          share(),
          0.3,
          "when more than this share of a region fails in one round, nothing is destroyed");
  static final Key<Integer> BRAKE_AT_LEAST =
      TABLE.key("health.brake_at_least", count(1), 3, "… and at least so many Machines failed");
  static final Key<Duration> HOST_GRACE =
      TABLE.key(
          "health.host_grace",
          POSITIVE,
          ofSeconds(60),
          "how long host_status may be doubtful before a Machine is replaced");
  static final Key<Duration> BOOT_DEADLINE =
      TABLE.key(
          "health.boot_deadline",
          POSITIVE,
          ofMinutes(3),
          "not proven by then: condemned, replaced");
  static final Key<Double> BOOT_DEADLINE_FACTOR =
      TABLE.key(
          "health.boot_deadline_factor",
          number(value -> value >= 1 && value <= 100, "a number from 1 to 100"),
          2.0,
          "once boots are measured, the deadline is this times the template's p99");

  // Demand, spikes.
  static final Key<Double> MISS_TARGET =
      TABLE.key(
          "demand.miss_target",
          number(value -> value > 0 && value < 1, "a share between 0 and 1, such as 0.01"),
          0.01,
          "accepted chance that a request finds no warm Machine");
  static final Key<Duration> BOOT_ASSUMED =
      TABLE.key("demand.boot_assumed", POSITIVE, ofMinutes(1), "boot time until it is measured");
  static final Key<Duration> FAST_WINDOW =
      TABLE.key("demand.fast_window", POSITIVE, ofMinutes(1), "fast window of arrivals");
  static final Key<Duration> SLOW_WINDOW =
      TABLE.key("demand.slow_window", POSITIVE, ofMinutes(10), "slow window of arrivals");
  static final Key<Integer> SPIKE_DEPTH =
      TABLE.key("demand.spike_depth", count(0), 10, "a deeper queue is a spike: target = warm_max");
  static final Key<Duration> SPIKE_QUEUE_P95 =
      TABLE.key("demand.spike_queue_p95", POSITIVE, ofMillis(400), "a longer p95 wait is one, too");
  static final Key<Duration> HOLD =
      TABLE.key("demand.hold", POSITIVE, ofMinutes(5), "the largest target of this time holds");
  static final Key<Duration> IDLE_BEFORE_DRAIN =
      TABLE.key(
          "demand.idle_before_drain",
          POSITIVE,
          ofMinutes(10),
          "a Machine idle for less is no surplus");

  // Replacing what is old, stuck or lost.
  static final Key<Duration> MAX_IDLE_AGE =
      TABLE.key(
          "recycle.max_idle_age",
          POSITIVE,
          ofHours(12),
          "older idle ones are recycled, one by one");
  static final Key<Double> ROLL_SHARE =
      TABLE.key("recycle.roll_share", share(), 0.25, "batch of a template roll");
  static final Key<Duration> STOP_TIMEOUT =
      TABLE.key("recycle.stop_timeout", POSITIVE, ofSeconds(20), "SIGTERM may take this long");
  static final Key<Duration> DRAIN_DEADLINE =
      TABLE.key(
          "recycle.drain_deadline",
          POSITIVE,
          ofMinutes(5),
          "teardown and stop together; a slower Machine is destroyed");
  static final Key<Duration> STRAY_GRACE =
      TABLE.key(
          "recycle.stray_grace",
          POSITIVE,
          ofMinutes(1),
          "a session on an unknown Machine has renewed within this, or is gone");
  static final Key<Duration> LOST_GRACE =
      TABLE.key(
          "recycle.lost_grace",
          POSITIVE,
          ofSeconds(20),
          "a gateway has heard of its lost session within this");

  // Sessions.
  static final Key<Duration> WAIT_DEFAULT =
      TABLE.key(
          "sessions.wait_default", POSITIVE, ofSeconds(5), "wait of a request that names none");
  static final Key<Duration> WAIT_MAX =
      TABLE.key("sessions.wait_max", POSITIVE, ofSeconds(30), "longest wait a request may ask for");
  static final Key<Integer> QUEUE_MAX =
      TABLE.key("sessions.queue_max", count(0, 100_000), 200, "waiting requests; then queue-full");
  static final Key<Duration> CONFIRM_WITHIN =
      TABLE.key(
          "sessions.confirm_within", POSITIVE, ofSeconds(30), "not connected by then: released");
  static final Key<Duration> LEASE =
      TABLE.key("sessions.lease", POSITIVE, ofSeconds(60), "not renewed for this long: released");
  static final Key<Duration> MAX_DURATION =
      TABLE.key("sessions.max_duration", POSITIVE, ofHours(8), "longest session");
  static final Key<Duration> IDEMPOTENCY =
      TABLE.key(
          "sessions.idempotency", POSITIVE, ofHours(24), "how long an Idempotency-Key is kept");

  private ThresholdKeys() {}

  static List<Key<?>> all() {
    return TABLE.all();
  }
}
