// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import cupbear.scheduler.config.PoolSettings.Step;
import cupbear.scheduler.core.Placement;
import cupbear.scheduler.model.Desired;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.Template;
import java.net.URI;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes settings out of values that have no problem left. */
final class SettingsReader {
  private final Values values;

  private SettingsReader(Values values) {
    this.values = values;
  }

  /**
   * @param folder where relative paths start
   */
  static Settings settings(Values values, Path folder) {
    SettingsReader reader = new SettingsReader(values);
    Map<PoolName, PoolSettings> pools = new LinkedHashMap<>();
    for (String pool : values.below("pools")) pools.put(new PoolName(pool), reader.pool(pool));
    return new Settings(
        values.get(ServerKeys.ENVIRONMENT),
        new Settings.Fly(
            values.get(ServerKeys.FLY_APP),
            values.get(ServerKeys.FLY_ORG),
            values.find(ServerKeys.FLY_NETWORK),
            URI.create(values.get(ServerKeys.FLY_API)),
            values.get(ServerKeys.FLY_PACE),
            reader.gateways()),
        new Settings.Redis(
            values.get(ServerKeys.REDIS_URL_KEY), values.find(ServerKeys.REDIS_USERNAME)),
        new Settings.Listen(values.get(ServerKeys.LISTEN_API), values.get(ServerKeys.LISTEN_OPS)),
        values.get(ServerKeys.DURABILITY),
        folder.resolve(values.get(ServerKeys.TOKEN_FILE)),
        reader.limits(),
        values.get(ServerKeys.FINISH_WITHIN),
        pools);
  }

  private List<String> gateways() {
    List<String> apps = values.find(ServerKeys.FLY_GATEWAYS);
    return apps == null ? List.of() : apps;
  }

  private Settings.Limits limits() {
    return new Settings.Limits(
        values.get(ServerKeys.BODY_MAX),
        values.get(ServerKeys.DEPTH_MAX),
        values.get(ServerKeys.HEADERS_MAX),
        values.get(ServerKeys.HEADER_TIMEOUT),
        values.get(ServerKeys.IDLE_TIMEOUT),
        values.get(ServerKeys.RATE),
        values.get(ServerKeys.BURST));
  }

  private PoolSettings pool(String pool) {
    Map<Region, Desired.Bounds> regions = regions(pool);
    return new PoolSettings(
        new PoolName(pool),
        template(pool),
        texts(PoolKeys.LABELS, pool, "labels"),
        regions,
        probes(pool),
        values.get(PoolKeys.CREDENTIALS, pool),
        new PoolSettings.Staging(
            values.get(PoolKeys.STAGING_RUN, pool), values.get(PoolKeys.STAGING_DEADLINE, pool)),
        new PoolSettings.Ending(
            teardown(pool),
            values.get(PoolKeys.AFTER_SESSION, pool),
            values.threshold(ThresholdKeys.STOP_TIMEOUT, pool)),
        values.get(PoolKeys.FAILOVER, pool),
        placement(pool, regions),
        budget(pool),
        values.find(PoolKeys.MACHINE_PER_HOUR, pool),
        sessions(pool),
        policy(pool));
  }

  private Template template(String pool) {
    Template.Guest guest =
        new Template.Guest(
            Kind.wordOf(values.get(PoolKeys.CPU_KIND, pool)),
            values.get(PoolKeys.CPUS, pool),
            values.get(PoolKeys.MEMORY_MB, pool));
    return new Template(
        values.get(PoolKeys.VERSION, pool),
        values.get(PoolKeys.IMAGE, pool),
        guest,
        texts(PoolKeys.ENV, pool, "template.env"));
  }

  private Map<String, String> texts(Key<String> key, String pool, String below) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (String name : values.below("pools.%s.%s".formatted(pool, below))) {
      texts.put(name, values.get(key, pool, name));
    }
    return texts;
  }

  private Map<Region, Desired.Bounds> regions(String pool) {
    Map<Region, Desired.Bounds> regions = new LinkedHashMap<>();
    for (String region : values.below("pools.%s.regions".formatted(pool))) {
      int max = values.get(PoolKeys.WARM_MAX, pool, region);
      Integer parked = values.find(PoolKeys.PARKED_MAX, pool, region);
      regions.put(
          new Region(region),
          new Desired.Bounds(
              values.get(PoolKeys.WARM_MIN, pool, region), max, parked == null ? max : parked));
    }
    return regions;
  }

  private PoolSettings.Probes probes(String pool) {
    return new PoolSettings.Probes(
        values.get(PoolKeys.GUACD_PORT, pool),
        values.get(PoolKeys.RDP_PORT, pool),
        values.get(PoolKeys.DEPTH, pool),
        values.get(PoolKeys.CREDSSP, pool),
        values.threshold(ThresholdKeys.GUACD_TRUST, pool),
        values.threshold(ThresholdKeys.RDP_TRUST, pool));
  }

  private List<Step> teardown(String pool) {
    return values.below("pools.%s.teardown".formatted(pool)).stream()
        .sorted(Comparator.comparingInt(Integer::parseInt))
        .map(step ->
            new Step(
                values.get(PoolKeys.STEP_NAME, pool, step),
                values.get(PoolKeys.STEP_RUN, pool, step),
                values.get(PoolKeys.STEP_DEADLINE, pool, step)))
        .toList();
  }

  private Placement.Rules placement(String pool, Map<Region, Desired.Bounds> regions) {
    Map<Region, List<Region>> order = new LinkedHashMap<>();
    for (String from : values.below("pools.%s.placement.order".formatted(pool))) {
      List<Region> to = values.get(PoolKeys.ORDER, pool, from).stream().map(Region::new).toList();
      order.put(new Region(from), to);
    }
    Integer most = values.find(PoolKeys.MAX_DISTANCE_KM, pool);
    return new Placement.Rules(
        List.copyOf(regions.keySet()), order, most == null ? null : most.doubleValue());
  }

  private Desired.@Nullable Budget budget(String pool) {
    Double perHour = values.find(PoolKeys.BUDGET_PER_HOUR, pool);
    return perHour == null
        ? null
        : new Desired.Budget(perHour, values.get(PoolKeys.MACHINE_PER_HOUR, pool));
  }

  private PoolSettings.Sessions sessions(String pool) {
    return new PoolSettings.Sessions(
        values.threshold(ThresholdKeys.WAIT_DEFAULT, pool),
        values.threshold(ThresholdKeys.WAIT_MAX, pool),
        values.threshold(ThresholdKeys.QUEUE_MAX, pool),
        values.threshold(ThresholdKeys.CONFIRM_WITHIN, pool),
        values.threshold(ThresholdKeys.LEASE, pool),
        values.threshold(ThresholdKeys.MAX_DURATION, pool),
        values.threshold(ThresholdKeys.IDEMPOTENCY, pool));
  }

  private Policy policy(String pool) {
    return new Policy(
        new Policy.Pass(
            values.threshold(ThresholdKeys.EVERY, pool),
            values.threshold(ThresholdKeys.STALE_TICKS, pool),
            values.threshold(ThresholdKeys.MAX_ACTIONS, pool),
            values.threshold(ThresholdKeys.ANSWER_WITHIN, pool)),
        new Policy.Trust(
            values.threshold(ThresholdKeys.COLLAPSE_SHARE, pool),
            values.threshold(ThresholdKeys.COLLAPSE_MORE_THAN, pool),
            values.threshold(ThresholdKeys.AGREEING_LISTS, pool),
            values.threshold(ThresholdKeys.CREATE_FAILURES, pool),
            values.threshold(ThresholdKeys.CREATE_BACKOFF_MIN, pool),
            values.threshold(ThresholdKeys.CREATE_BACKOFF_MAX, pool)),
        new Policy.Probing(
            values.threshold(ThresholdKeys.STRIKES, pool),
            values.threshold(ThresholdKeys.HEALTHY_ROUNDS, pool),
            values.threshold(ThresholdKeys.BRAKE_SHARE, pool),
            values.threshold(ThresholdKeys.BRAKE_AT_LEAST, pool),
            values.threshold(ThresholdKeys.ROUND, pool),
            values.threshold(ThresholdKeys.GUACD_TRUST, pool),
            values.threshold(ThresholdKeys.HOST_GRACE, pool),
            values.threshold(ThresholdKeys.BOOT_DEADLINE, pool),
            values.threshold(ThresholdKeys.BOOT_DEADLINE_FACTOR, pool)),
        new Policy.Rhythm(
            values.threshold(ThresholdKeys.PROVING_EVERY, pool),
            values.threshold(ThresholdKeys.GUACD_EVERY, pool),
            values.threshold(ThresholdKeys.RDP_EVERY, pool),
            values.threshold(ThresholdKeys.JITTER, pool)),
        new Policy.Sizing(
            values.threshold(ThresholdKeys.MISS_TARGET, pool),
            values.threshold(ThresholdKeys.BOOT_ASSUMED, pool),
            values.threshold(ThresholdKeys.FAST_WINDOW, pool),
            values.threshold(ThresholdKeys.SLOW_WINDOW, pool),
            values.threshold(ThresholdKeys.SPIKE_DEPTH, pool),
            values.threshold(ThresholdKeys.SPIKE_QUEUE_P95, pool),
            values.threshold(ThresholdKeys.HOLD, pool),
            values.threshold(ThresholdKeys.IDLE_BEFORE_DRAIN, pool)),
        new Policy.Turnover(
            values.threshold(ThresholdKeys.MAX_IDLE_AGE, pool),
            values.threshold(ThresholdKeys.ROLL_SHARE, pool),
            values.threshold(ThresholdKeys.DRAIN_DEADLINE, pool),
            values.threshold(ThresholdKeys.STRAY_GRACE, pool),
            values.threshold(ThresholdKeys.LOST_GRACE, pool)));
  }
}
