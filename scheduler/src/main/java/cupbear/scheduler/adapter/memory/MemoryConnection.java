// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.port.Book;
import cupbear.scheduler.port.Claims;
import cupbear.scheduler.port.Journal;
import cupbear.scheduler.port.Leadership;
import cupbear.scheduler.port.Recovery;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The store as one replica sees it: five ports that share one belief about the generation. Closing
 * it is the replica's death: it hears nothing any more.
 */
public final class MemoryConnection implements AutoCloseable {
  private record Reader(PoolName pool, Consumer<Entry> listener) {}

  private final MemoryStore store;
  private final Belief belief = new Belief();
  private final List<Consumer<Grant>> grantListeners = new ArrayList<>();
  private final List<Reader> readers = new ArrayList<>();

  MemoryConnection(MemoryStore store) {
    this.store = store;
  }

  public Claims claims() {
    return new MemoryClaims(store, belief, grantListeners::add);
  }

  public Book book() {
    return new MemoryBook(store, belief);
  }

  public Recovery recovery() {
    return new MemoryRecovery(store, belief);
  }

  public Leadership leadership() {
    return new MemoryLeadership(store, belief);
  }

  public Journal journal() {
    return new MemoryJournal(store, (pool, listener) -> readers.add(new Reader(pool, listener)));
  }

  void hear(Grant grant) {
    List.copyOf(grantListeners).forEach(listener -> listener.accept(grant));
  }

  void hear(Entry entry) {
    List.copyOf(readers).stream()
        .filter(reader -> reader.pool().equals(entry.pool()))
        .forEach(reader -> reader.listener().accept(entry));
  }

  @Override
  public void close() {
    store.disconnect(this);
    grantListeners.clear();
    readers.clear();
  }
}
