// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.port.Journal;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** {@link Journal} on a {@link MemoryStore}. */
final class MemoryJournal implements Journal {
  private final MemoryStore store;
  private final BiConsumer<PoolName, Consumer<Entry>> readers;

  MemoryJournal(MemoryStore store, BiConsumer<PoolName, Consumer<Entry>> readers) {
    this.store = store;
    this.readers = readers;
  }

  @Override
  public Future<Void> append(PoolName pool, List<Entry> entries) {
    return store
        .step(
            pool,
            step -> {
              entries.forEach(step::write);
              return true;
            })
        .mapEmpty();
  }

  @Override
  public Future<List<Entry>> after(PoolName pool, String after, int most) {
    return store.step(pool, step -> step.pool.log.after(after, most));
  }

  @Override
  public void onEntry(PoolName pool, Consumer<Entry> listener) {
    readers.accept(pool, listener);
  }
}
