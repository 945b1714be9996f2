// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import cupbear.scheduler.core.Placement;
import cupbear.scheduler.model.Desired;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.Template;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All settings of one pool, thresholds included.
 *
 * @param regions in declared order, which is the order of last resort
 * @param machinePerHour the price of a running Machine; null when nobody said
 * @param policy what the deciding code takes; the rest is for those who perform
 */
public record PoolSettings(
    PoolName name,
    Template template,
    Map<String, String> labels,
    Map<Region, Desired.Bounds> regions,
    Probes probes,
    CredentialsMode credentials,
    Staging staging,
    Ending ending,
    Failover failover,
    Placement.Rules placement,
    Desired.@Nullable Budget budget,
    @Nullable Double machinePerHour,
    Sessions sessions,
    Policy policy) {
  public PoolSettings {
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    regions = Collections.unmodifiableMap(new LinkedHashMap<>(regions));
  }

  /** How far the RDP probe goes. */
  public enum Depth {
    NEGOTIATE,
    TLS,
    LOGIN
  }

  /** Whether sessions get a login made for them alone. */
  public enum CredentialsMode {
    ONE_TIME,
    NONE
  }

  /** What a session gets whose Machine died. */
  public enum Failover {
    REPLACE,
    NOTIFY,
    NONE
  }

  /**
   * Where and how to ask a Machine whether it is well, and for how long its answer is believed.
   *
   * @param credssp with NLA, ask for the CredSSP challenge, too
   */
  public record Probes(
      int guacdPort,
      int rdpPort,
      Depth depth,
      boolean credssp,
      Duration guacdTrust,
      Duration rdpTrust) {}

  /** The command that gives a Machine the login of its next session. */
  public record Staging(List<String> run, Duration deadline) {
    public Staging {
      run = List.copyOf(run);
    }
  }

  /** One command of the teardown playbook. */
  public record Step(String name, List<String> run, Duration deadline) {
    public Step {
      run = List.copyOf(run);
    }
  }

  /** What happens to a Machine when its session ended. */
  public record Ending(List<Step> teardown, Desired.AfterSession after, Duration stopTimeout) {
    public Ending {
      teardown = List.copyOf(teardown);
    }
  }

  /** The times of a session, and of those waiting for one. */
  public record Sessions(
      Duration waitDefault,
      Duration waitMax,
      int queueMax,
      Duration confirmWithin,
      Duration lease,
      Duration maxDuration,
      Duration idempotency) {}

  /** The declaration of one regional pool, with what operators asked for on top. */
  public Desired desired(
      Region region, Map<String, String> tags, Set<MachineId> drain, Set<MachineId> cordoned) {
    Desired.Bounds bounds = regions.get(region);
    if (bounds == null) {
      throw new IllegalArgumentException("pool %s has no region %s".formatted(name, region));
    }
    return new Desired(
        template,
        bounds,
        credentials == CredentialsMode.ONE_TIME,
        !ending.teardown().isEmpty(),
        ending.after(),
        budgetOf(bounds),
        tags,
        drain,
        cordoned);
  }

  /** The pool's budget is shared out by how much each region may use at most. */
  private Desired.@Nullable Budget budgetOf(Desired.Bounds bounds) {
    if (budget == null) return null;
    long all = regions.values().stream().mapToLong(Desired.Bounds::warmMax).sum();
    double share = all == 0 ? 0 : (double) bounds.warmMax() / all;
    return new Desired.Budget(budget.perHour() * share, budget.machinePerHour());
  }
}
