// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.Policy;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every threshold that somebody may set reaches the decisions it is about. */
class PolicyKeysTest {
  /** These are for those who perform, not for those who decide. */
  private static final Set<String> PERFORMED = Set.of("health.rdp_trust", "recycle.stop_timeout");

  record Row(String key, String value, String inPolicy) {
    @Override
    public String toString() {
      return key + ": " + value;
    }
  }

  private static List<Row> rows() {
    return List.of(
        new Row("reconcile.every", "7s", "every=PT7S"),
        new Row("reconcile.stale_ticks", "9", "staleTicks=9"),
        new Row("reconcile.max_actions", "11", "maxActions=11"),
        new Row("reconcile.answer_within", "77s", "answerWithin=PT1M17S"),
        new Row("reconcile.collapse_share", "0.7", "collapseShare=0.7"),
        new Row("reconcile.collapse_more_than", "8", "collapseMoreThan=8"),
        new Row("reconcile.agreeing_lists", "4", "agreeingLists=4"),
        new Row("reconcile.create_failures", "6", "createFailures=6"),
        new Row("reconcile.create_backoff_min", "2s", "createBackoffMin=PT2S"),
        new Row("reconcile.create_backoff_max", "90s", "createBackoffMax=PT1M30S"),
        new Row("health.proving_every", "3s", "proving=PT3S"),
        new Row("health.guacd_every", "6s", "guacd=PT6S"),
        new Row("health.rdp_every", "16s", "rdp=PT16S"),
        new Row("health.jitter", "0.1", "jitter=0.1"),
        new Row("health.guacd_trust", "12s", "trust=PT12S"),
        new Row("health.round", "25s", "round=PT25S"),
        new Row("health.healthy_rounds", "5", "healthyRounds=5"),
        new Row("health.strikes", "4", "strikesOut=4"),
        new Row("health.brake_share", "0.4", "brakeShare=0.4"),
        new Row("health.brake_at_least", "5", "brakeAtLeast=5"),
        new Row("health.host_grace", "70s", "hostGrace=PT1M10S"),
        new Row("health.boot_deadline", "4m", "bootDeadline=PT4M"),
        new Row("health.boot_deadline_factor", "3", "bootDeadlineFactor=3.0"),
        new Row("demand.miss_target", "0.05", "missTarget=0.05"),
        new Row("demand.boot_assumed", "2m", "bootAssumed=PT2M"),
        new Row("demand.fast_window", "2m", "fastWindow=PT2M"),
        new Row("demand.slow_window", "20m", "slowWindow=PT20M"),
        new Row("demand.spike_depth", "21", "spikeDepth=21"),
        new Row("demand.spike_queue_p95", "600ms", "spikeQueueP95=PT0.6S"),
        new Row("demand.hold", "6m", "hold=PT6M"),
        new Row("demand.idle_before_drain", "11m", "idleBeforeDrain=PT11M"),
        new Row("recycle.max_idle_age", "13h", "maxIdleAge=PT13H"),
        new Row("recycle.roll_share", "0.3", "rollShare=0.3"),
        new Row("recycle.drain_deadline", "7m", "drainDeadline=PT7M"),
        new Row("recycle.stray_grace", "2m", "strayGrace=PT2M"),
        new Row("recycle.lost_grace", "30s", "lostGrace=PT30S"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void reachesThePolicy(Row row) {
    String[] path = row.key().split("\\.");
    String yaml = Sample.GOOD + "\n%s: {%s: %s}\n".formatted(path[0], path[1], row.value());
    Policy policy = Sample.good(yaml).settings().pools().values().iterator().next().policy();
    assertThat(policy).isNotEqualTo(Policy.DEFAULT);
    assertThat(policy.toString()).contains(row.inPolicy());
  }

  @Test
  void noThresholdIsLeftOut() {
    Set<String> keys = new TreeSet<>();
    for (Key<?> key : ThresholdKeys.all()) {
      if (!key.path().startsWith("sessions.")) keys.add(key.path());
    }
    keys.removeAll(PERFORMED);
    Set<String> shown = new TreeSet<>();
    rows().forEach(row -> shown.add(row.key()));
    assertThat(shown).isEqualTo(keys);
  }
}
