// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import cupbear.scheduler.adapter.memory.MemoryConnection;
import cupbear.scheduler.adapter.memory.MemoryStore;
import cupbear.scheduler.model.StoreRules;
import java.time.Duration;
import java.time.Instant;

/** The store without wires, with a clock that moves when it is told to. */
final class MemoryFixture implements StoreFixture {
  private Instant now = Instant.parse("2026-03-01T08:00:00Z");
  private final MemoryStore store = new MemoryStore(() -> now);

  @Override
  public Replica replica() {
    MemoryConnection connection = store.connect();
    return new Replica(
        connection.claims(),
        connection.book(),
        connection.recovery(),
        connection.leadership(),
        connection.journal());
  }

  @Override
  public StoreRules rules() {
    return StoreRules.DEFAULT;
  }

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public void pass(Duration time) {
    now = now.plus(time);
  }

  @Override
  public Duration soon() {
    return Duration.ofSeconds(15);
  }

  /** Longer than all grants so far took at a microsecond each; no loss is over sooner. */
  private static final Duration TIME_TO_BREAK = Duration.ofMillis(1);

  @Override
  public void wipe() {
    pass(TIME_TO_BREAK);
    store.wipe();
  }

  @Override
  public Runnable standby() {
    MemoryStore.Copy copy = store.copy();
    return () -> {
      pass(TIME_TO_BREAK);
      store.restore(copy);
    };
  }

  @Override
  public void close() {}
}
