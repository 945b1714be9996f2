// SPDX-License-Identifier: Apache-2.0
package cupbear.load.assign;

import cupbear.scheduler.adapter.redis.RedisSettings;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.StoreRules;
import cupbear.scheduler.model.Terms;
import java.time.Duration;

/** What all processes of the torture agree on: short times, so that much can run out in little. */
final class Torture {
  static final PoolName POOL = new PoolName("torture");
  static final int MACHINES = 300;

  static final Terms TERMS =
      new Terms(
          Duration.ofSeconds(3),
          Duration.ofSeconds(3),
          Duration.ofHours(1),
          Duration.ofHours(1),
          1_000,
          Terms.Failover.NOTIFY);

  static final StoreRules RULES =
      new StoreRules(
          Duration.ofHours(1),
          Duration.ofHours(1),
          Duration.ofSeconds(2),
          Duration.ofMinutes(10),
          Duration.ofSeconds(10),
          100,
          256,
          500_000);

  /** Strict: what was answered survives a failover, also when the one who answered is dead. */
  static final RedisSettings REDIS =
      new RedisSettings(2, 4_096, Duration.ofSeconds(1), Duration.ofSeconds(2), true);

  private Torture() {}
}
