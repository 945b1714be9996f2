// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

/** What takes time on the platform, with the usual and the slow figure in milliseconds. */
public enum Step {
  /** A call that has no figure of its own. */
  CALL(30, 80),
  /** GET of a Machine, its metadata or its lease. */
  READ(40, 120),
  LIST(80, 300),
  CREATE(1_500, 5_000),
  /** From created to started when the host has the image. */
  BOOT_CACHED(1_000, 5_000),
  /** The same when the image must be fetched. */
  BOOT_COLD(15_000, 70_000),
  /** What a Machine that hangs in created needs instead. */
  BOOT_STUCK(600_000, 7_200_000),
  START(400, 1_500),
  RESUME(250, 700),
  /** From started until the services inside answer. */
  READY(2_000, 5_000),
  STOP(1_500, 3_000),
  /** After stopped, while a start is still refused. */
  REAP(400, 3_000),
  SUSPEND(2_000, 15_000),
  UPDATE_RUNNING(15_000, 25_000),
  UPDATE_STOPPED(4_000, 10_000),
  /** Until an update that does not fit on the host is taken back. */
  REVERT(130, 130),
  DESTROY(500, 5_000),
  EXEC(800, 2_000),
  MIGRATE(3_000, 10_000),
  /** How long calls hang that need a host which does not answer. */
  HOST_SILENT(30_000, 30_000),
  /** How far lists lag behind. */
  LIST_LAG(200, 2_000),
  /** How far GET lags behind. */
  GET_LAG(0, 500);

  private final long p50Ms;
  private final long p95Ms;

  Step(long p50Ms, long p95Ms) {
    this.p50Ms = p50Ms;
    this.p95Ms = p95Ms;
  }

  Spread usual() {
    return new Spread(p50Ms, p95Ms);
  }

  /**
   * Half of all take at most {@code p50Ms}, nineteen of twenty at most {@code p95Ms}.
   *
   * @param p50Ms the median in milliseconds
   * @param p95Ms the 95th percentile in milliseconds
   */
  public record Spread(long p50Ms, long p95Ms) {
    public Spread {
      if (p50Ms < 0 || p95Ms < p50Ms) {
        throw new IllegalArgumentException(
            "p50_ms %d and p95_ms %d: give 0 <= p50_ms <= p95_ms".formatted(p50Ms, p95Ms));
      }
    }
  }
}
