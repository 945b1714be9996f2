// SPDX-License-Identifier: Apache-2.0
package cupbear.load.stack;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a local stack is made of.
 *
 * @param port where the first scheduler's API listens, the others behind it; 0 for any free ones
 * @param opsPort the same for health and metrics
 * @param speed how much faster than the real platform the simulated one works
 * @param pace times Fly's published request rates, of simulator and schedulers alike
 * @param pools the first one is what viewers ask for unless they say otherwise
 * @param preset faults, switches and latencies of the simulator, as JSON
 * @param more lines of YAML that the schedulers' configuration gets on top
 * @param overlay files that take the place of the schedulers' own, for those who test a checker;
 *     null for none
 */
public record StackPlan(
    int replicas,
    int port,
    int opsPort,
    double speed,
    double pace,
    List<Pool> pools,
    Store store,
    String preset,
    String more,
    @Nullable Path overlay) {

  /** How many Machines a region keeps warm. */
  public record Bounds(String region, int warmMin, int warmMax) {}

  /**
   * A pool of viewers.
   *
   * @param version of its template
   * @param teardown the command that cleans up behind a session, its words with commas
   * @param more lines of YAML below the pool: {@code failover: replace}
   */
  public record Pool(
      String name, String version, List<Bounds> regions, String teardown, String more) {
    private static final String END_SESSIONS = "loginctl, terminate-user, viewer";

    public Pool {
      regions = List.copyOf(regions);
    }

    public static Pool of(String name, Bounds... regions) {
      return new Pool(name, "1", List.of(regions), END_SESSIONS, "");
    }

    public Pool withVersion(String next) {
      return new Pool(name, next, regions, teardown, more);
    }

    public Pool withRegions(List<Bounds> bounds) {
      return new Pool(name, version, bounds, teardown, more);
    }

    public Pool with(String yaml) {
      return new Pool(name, version, regions, teardown, more + yaml + "\n");
    }

    public Pool withTeardown(String words) {
      return new Pool(name, version, regions, words, more);
    }

    private String yaml() {
      String bounds =
          regions.stream()
              .map(each ->
                  "      %s: {warm_min: %d, warm_max: %d, parked_max: %d}"
                      .formatted(
                          each.region(),
                          each.warmMin(),
                          each.warmMax(),
                          Math.max(PARKED_LEAST, each.warmMax())))
              .collect(Collectors.joining("\n"));
      return """
        %s:
          template:
            version: "%s"
            image: "registry.fly.io/cupbear-viewer:%s"
          regions:
      %s
          teardown:
            - {name: clean-up, run: [%s]}
      %s\
      """
          .formatted(name, version, version, bounds, teardown, more.indent(4))
          .stripTrailing();
    }
  }

  /** How Redis runs. */
  public enum Store {
    STANDALONE,
    /** A primary, a replica and sentinels, so that it can fail over. */
    SENTINEL
  }

  /** Stopped Machines cost a simulator nothing. */
  private static final int PARKED_LEAST = 4;

  /** Traps that make single boots take minutes are for tests that ask for them. */
  public static final String SMOOTH =
      "{\"switches\":{\"stuck_created_rate\":0,\"cold_resume_rate\":0,\"cold_image_first\":false}}";

  /** The pool of the demonstration. */
  public static final String VIEWERS = "viewers";

  public static final StackPlan DEMO =
      new StackPlan(
          2,
          0,
          0,
          4,
          4,
          List.of(
              Pool.of(
                  VIEWERS,
                  new Bounds("iad", 6, 10),
                  new Bounds("lhr", 4, 6),
                  new Bounds("nrt", 2, 4))),
          Store.STANDALONE,
          SMOOTH,
          "",
          null);

  public StackPlan {
    pools = List.copyOf(pools);
    if (pools.isEmpty()) throw new IllegalArgumentException("there is no pool; give one");
    if (replicas < 1 || replicas > 8) {
      throw new IllegalArgumentException("replicas is " + replicas + "; give 1 to 8");
    }
  }

  public StackPlan withReplicas(int count) {
    return new StackPlan(count, port, opsPort, speed, pace, pools, store, preset, more, overlay);
  }

  public StackPlan withPorts(int api, int ops) {
    return new StackPlan(replicas, api, ops, speed, pace, pools, store, preset, more, overlay);
  }

  public StackPlan withSpeed(double factor) {
    return new StackPlan(
        replicas, port, opsPort, factor, pace, pools, store, preset, more, overlay);
  }

  public StackPlan withPace(double factor) {
    return new StackPlan(
        replicas, port, opsPort, speed, factor, pools, store, preset, more, overlay);
  }

  public StackPlan withPools(Pool... all) {
    return new StackPlan(
        replicas, port, opsPort, speed, pace, List.of(all), store, preset, more, overlay);
  }

  /** The same with one pool changed. */
  public StackPlan withPool(String name, UnaryOperator<Pool> change) {
    List<Pool> next = new ArrayList<>(pools);
    next.replaceAll(pool -> pool.name().equals(name) ? change.apply(pool) : pool);
    return new StackPlan(replicas, port, opsPort, speed, pace, next, store, preset, more, overlay);
  }

  public StackPlan withStore(Store kind) {
    return new StackPlan(replicas, port, opsPort, speed, pace, pools, kind, preset, more, overlay);
  }

  public StackPlan withPreset(String json) {
    return new StackPlan(replicas, port, opsPort, speed, pace, pools, store, json, more, overlay);
  }

  public StackPlan withMore(String yaml) {
    return new StackPlan(replicas, port, opsPort, speed, pace, pools, store, preset, yaml, overlay);
  }

  /** Schedulers that are not as they were built. */
  public StackPlan withOverlay(Path files) {
    return new StackPlan(replicas, port, opsPort, speed, pace, pools, store, preset, more, files);
  }

  /** Those of the first pool. */
  public List<Bounds> regions() {
    return pools.getFirst().regions();
  }

  /** What the schedulers read; secrets and ports come from their environment. */
  String yaml(String fly, String redis) {
    String declared = pools.stream().map(Pool::yaml).collect(Collectors.joining("\n"));
    return """
    environment: demo
    fly: {app: cupbear-viewer, org: personal, api: "%s", pace: %s}
    redis: {url: "%s"}
    listen: {api: "127.0.0.1:0", ops: "127.0.0.1:0"}
    security: {token_file: tokens.json}
    limits: {rate: 100000, burst: 100000}
    pools:
    %s
    %s
    """
        .formatted(fly, pace, redis, declared, more);
  }
}
