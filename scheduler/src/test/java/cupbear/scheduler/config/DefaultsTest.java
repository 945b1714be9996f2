// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.config.PoolSettings.CredentialsMode;
import cupbear.scheduler.model.Desired;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.Region;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds when nobody says anything, and that every key reaches the settings. */
class DefaultsTest {
  private static final Region IAD = new Region("iad");

  /** The promises of the product, written down a second time on purpose. */
  private static final String PRODUCT =
      """
      fly.api http://_api.internal:4280
      fly.pace 1
      listen.api fly-local-6pn:8080
      listen.ops fly-local-6pn:9090
      durability normal
      security.token_file tokens.json
      limits.body 16KiB
      limits.depth 16
      limits.headers 8KiB
      limits.header_timeout 5s
      limits.idle_timeout 1m
      limits.rate 100
      limits.burst 200
      shutdown.finish_within 25s
      reconcile.every 5s
      reconcile.stale_ticks 3
      reconcile.max_actions 10
      reconcile.answer_within 1m
      reconcile.collapse_share 0.5
      reconcile.collapse_more_than 3
      reconcile.agreeing_lists 2
      reconcile.create_failures 3
      reconcile.create_backoff_min 1s
      reconcile.create_backoff_max 1m
      health.proving_every 1s
      health.guacd_every 5s
      health.rdp_every 15s
      health.jitter 0.2
      health.guacd_trust 10s
      health.rdp_trust 30s
      health.round 20s
      health.healthy_rounds 2
      health.strikes 3
      health.brake_share 0.3
      health.brake_at_least 3
      health.host_grace 1m
      health.boot_deadline 3m
      health.boot_deadline_factor 2
      demand.miss_target 0.01
      demand.boot_assumed 1m
      demand.fast_window 1m
      demand.slow_window 10m
      demand.spike_depth 10
      demand.spike_queue_p95 400ms
      demand.hold 5m
      demand.idle_before_drain 10m
      recycle.max_idle_age 12h
      recycle.roll_share 0.25
      recycle.stop_timeout 20s
      recycle.drain_deadline 5m
      recycle.stray_grace 1m
      recycle.lost_grace 20s
      sessions.wait_default 5s
      sessions.wait_max 30s
      sessions.queue_max 200
      sessions.confirm_within 30s
      sessions.lease 1m
      sessions.max_duration 8h
      sessions.idempotency 1d
      pools.<pool>.template.guest.cpu_kind shared
      pools.<pool>.template.guest.cpus 2
      pools.<pool>.template.guest.memory_mb 2048
      pools.<pool>.ports.guacd 4822
      pools.<pool>.ports.rdp 3389
      pools.<pool>.probe.depth login
      pools.<pool>.probe.credssp false
      pools.<pool>.credentials one_time
      pools.<pool>.staging.run [/usr/local/bin/cupbear-stage]
      pools.<pool>.staging.deadline 10s
      pools.<pool>.teardown.<n>.deadline 10s
      pools.<pool>.after_session recycle
      pools.<pool>.failover notify
      """;

  @Test
  void areThoseOfTheProduct() {
    Map<String, String> promised = new TreeMap<>();
    PRODUCT.lines().map(line -> line.split(" ")).forEach(each -> promised.put(each[0], each[1]));
    Map<String, String> coded = new TreeMap<>();
    for (Key<?> key : Keys.ALL) {
      if (key.fallback() instanceof Key.Fallback.Of<?>) coded.put(key.path(), key.shownFallback());
    }
    assertThat(coded).isEqualTo(promised);
  }

  private static PoolSettings pool(String yaml) {
    return Sample.good(yaml).settings().pools().values().iterator().next();
  }

  @Test
  void giveThePolicyThatTheDecisionsWereProvenWith() {
    assertThat(pool(Sample.GOOD).policy()).isEqualTo(Policy.DEFAULT);
  }

  @Test
  void giveTheDeclarationOfARegionalPool() {
    MachineId drained = new MachineId("m1");
    Map<String, String> tags = Map.of("app", "a");
    Desired desired = pool(Sample.GOOD).desired(IAD, tags, Set.of(drained), Set.of());
    assertThat(desired.bounds()).isEqualTo(new Desired.Bounds(2, 4, 4));
    assertThat(desired.credentials()).isTrue();
    assertThat(desired.playbook()).isFalse();
    assertThat(desired.afterSession()).isEqualTo(Desired.AfterSession.RECYCLE);
    assertThat(desired.budget()).isNull();
    assertThat(desired.tags()).isEqualTo(tags);
    assertThat(desired.drain()).containsExactly(drained);
    assertThat(desired.template().version().value()).isEqualTo("7");
  }

  @Test
  void aPoolSaysOtherwise() {
    PoolSettings pool =
        pool(
            Sample.inPool(
                """
                credentials: none
                after_session: destroy
                failover: replace
                budget: {per_hour: 9, machine_per_hour: 0.5}
                teardown: [{name: bye, run: [pkill, x]}]
                placement: {max_distance_km: 8000, order: {syd: [lhr]}}
                labels: {gpu: "true"}
                health: {strikes: 5}
                """));
    Desired desired = pool.desired(IAD, Map.of(), Set.of(), Set.of());
    assertThat(pool.credentials()).isEqualTo(CredentialsMode.NONE);
    assertThat(desired.credentials()).isFalse();
    assertThat(desired.playbook()).isTrue();
    assertThat(desired.afterSession()).isEqualTo(Desired.AfterSession.DESTROY);
    assertThat(desired.budget()).as("by warm_max: 4 of 6").isEqualTo(new Desired.Budget(6, 0.5));
    assertThat(pool.failover()).isEqualTo(PoolSettings.Failover.REPLACE);
    assertThat(pool.placement().overrides())
        .containsEntry(new Region("syd"), List.of(new Region("lhr")));
    assertThat(pool.placement().maxDistanceKm()).isEqualTo(8000.0);
    assertThat(pool.labels()).containsEntry("gpu", "true");
    assertThat(pool.policy().probing().strikesOut()).isEqualTo(5);
  }

  @Test
  void aPoolsOwnThresholdWinsOverThatOfAllPools() {
    String yaml = Sample.atTop("reconcile: {max_actions: 3}") + "    reconcile: {max_actions: 4}\n";
    assertThat(pool(yaml).policy().pass().maxActions()).isEqualTo(4);
    assertThat(pool(Sample.atTop("reconcile: {max_actions: 3}")).policy().pass().maxActions())
        .isEqualTo(3);
  }

  static Stream<String> keys() {
    Stream<Key<?>> ofThePool =
        PoolKeys.all().stream()
            .filter(key -> key.path().indexOf('<') == key.path().lastIndexOf('<'))
            .filter(key -> !key.equals(PoolKeys.BUDGET_PER_HOUR)); // nothing without a price
    return Stream.of(
            ServerKeys.all().stream(),
            ThresholdKeys.all().stream(),
            ThresholdKeys.all().stream().<Key<?>>map(Key::ofOnePool),
            ofThePool)
        .flatMap(each -> each)
        .map(key -> key.at(List.of("viewers")));
  }

  /** A key that changes nothing is a promise that nobody keeps. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("keys")
  void everyKeyReachesTheSettings(String path) {
    Settings before = Sample.good(Sample.GOOD).settings();
    assertThat(others(path))
        .as("some other value of %s changes the settings", path)
        .anySatisfy(value -> {
          String variable = "CUPBEAR_" + path.toUpperCase(java.util.Locale.ROOT).replace('.', '_');
          Configuration read = Sample.read(Sample.GOOD, Map.of(variable, value));
          assertThat(read)
              .isInstanceOfSatisfying(
                  Configuration.Valid.class,
                  valid -> assertThat(valid.settings()).isNotEqualTo(before));
        });
  }

  /** Values of every kind; those that do not fit the key are passed over. */
  private static List<String> others(String path) {
    return path.endsWith(".url")
        ? List.of("redis-cluster://a:1,b:2")
        : List.of(
            "11s",
            "6s",
            "2s",
            "70s",
            "20m",
            "1",
            "17",
            "0.4",
            "17KiB",
            "strict",
            "prod",
            "other",
            "http://other",
            "127.0.0.1:7777",
            "performance",
            "512",
            "tls",
            "true",
            "none",
            "destroy");
  }
}
