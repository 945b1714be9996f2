// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import cupbear.scheduler.model.StoreRules;
import java.time.Duration;
import java.time.Instant;

/**
 * One store under test, with the means to let time pass in it and to harm it. Its clock may be a
 * real one, so what has to happen in a test is within {@link #soon}, what must not, beyond {@link
 * #far}.
 */
interface StoreFixture extends AutoCloseable {
  /** The store as one more replica sees it. */
  Replica replica();

  StoreRules rules();

  /** The store's time. */
  Instant now();

  /** Comes back when the store's clock has moved on by this much. */
  void pass(Duration time);

  /** A time that a test can wait for. */
  Duration soon();

  /** A time that no test lives to see. */
  default Duration far() {
    return Duration.ofHours(1);
  }

  /** Everything is gone. */
  void wipe();

  /** A server that has come this far and no further. Running it is a failover to that server. */
  Runnable standby();

  @Override
  void close();

  /** The five ports of one replica. */
  record Replica(
      Claims claims, Book book, Recovery recovery, Leadership leadership, Journal journal) {}
}
