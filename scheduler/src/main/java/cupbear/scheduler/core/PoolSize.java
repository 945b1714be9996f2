// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import java.time.Duration;

/**
 * How large a regional pool should be, on paper: what {@code cupbear size} prints and
 * docs/how-to/size-a-pool.md explains. Arrivals are taken as Poisson, so the sessions that run at
 * once are Poisson, too, whatever the lengths of the sessions.
 *
 * @param concurrency sessions at once, on average (arrivals × length, Little's law)
 * @param concurrencyP90 nine times out of ten no more sessions than these run at once
 * @param booting replacements on their way, on average (arrivals × boot time)
 * @param stock warm Machines with which a request misses seldom enough, if a miss waits here
 * @param stockWithSpill the same, if a miss is served by another region instead
 * @param machines Machines in all with which nobody is turned away more often than that
 * @param refill from an empty pool to {@code stock} proven Machines, at Fly's pace of creates
 */
public record PoolSize(
    double concurrency,
    int concurrencyP90,
    double booting,
    int stock,
    int stockWithSpill,
    int machines,
    Duration refill) {

  /** No pool is larger; keeps a mistyped rate from computing for ever. */
  public static final int MOST = 1_000_000;

  /** Fly's limit on creates of one app: so many at once, then one per second. */
  private static final int CREATE_BURST = 3;

  /** A tenth of the time more sessions may run at once than the p90 says. */
  private static final double ABOVE_P90 = 0.1;

  /** What is known about the demand of a regional pool. */
  public record Load(double arrivalsPerSecond, Duration boot, Duration session, double miss) {
    public Load {
      if (!(arrivalsPerSecond > 0)) throw new IllegalArgumentException("arrivals must be above 0");
      if (!boot.isPositive()) throw new IllegalArgumentException("boot must be above 0");
      if (!session.isPositive()) throw new IllegalArgumentException("session must be above 0");
      if (!(miss > 0 && miss < 1)) throw new IllegalArgumentException("miss is between 0 and 1");
      if (arrivalsPerSecond * seconds(session) >= MOST || arrivalsPerSecond * seconds(boot) >= MOST)
        throw new IllegalArgumentException("more than %,d Machines at once".formatted(MOST));
    }
  }

  public static PoolSize of(Load load) {
    double concurrency = load.arrivalsPerSecond * seconds(load.session);
    double booting = load.arrivalsPerSecond * seconds(load.boot);
    int stock = DemandRule.baseStock(booting, load.miss, MOST);
    return new PoolSize(
        concurrency,
        DemandRule.baseStock(concurrency, ABOVE_P90, MOST) - 1,
        booting,
        stock,
        erlangB(booting, load.miss),
        erlangB(concurrency, load.miss),
        load.boot.plusSeconds(Math.max(0, stock - CREATE_BURST)));
  }

  /** The house rule for a ceiling: 40 % above the floor. */
  public static int ceiling(int floor) {
    return (int) Math.ceilDiv(7L * floor, 5);
  }

  /**
   * The fewest servers that turn away no more than this share of an offered load, when nobody
   * waits: Erlang's B formula, by its recursion.
   */
  public static int erlangB(double load, double miss) {
    double blocked = 1;
    int servers = 0;
    while (blocked > miss && servers < MOST) {
      servers++;
      blocked = load * blocked / (servers + load * blocked);
    }
    return servers;
  }

  private static double seconds(Duration duration) {
    return (double) duration.toMillis() / 1000;
  }
}
