// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.StoreRules;
import cupbear.scheduler.port.StoreTrouble;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The shared state of all pools in one object, for simulations and tests: what Redis is to a
 * running scheduler, with every step atomic because there is one thread. Not thread-safe. Loses
 * everything with the process, and on purpose by {@link #wipe} and {@link #restore}.
 *
 * <p>Each call runs one {@link Step} on one {@link PoolState}. The classes next to this one are of
 * two kinds: what is held (rows, {@link Shelf}, {@link Queue}, {@link Sessions}, {@link Keys}, …),
 * whose comments name the Redis keys; and what is decided ({@link Claiming}, {@link Granting},
 * {@link Ending}, …), whose comments name the scripts. Words to listeners go out when a step is
 * over, in order, even if a listener starts another step.
 */
public final class MemoryStore {
  private final Supplier<Instant> clock;
  private final StoreRules rules;
  private final Map<PoolName, PoolState> pools = new TreeMap<>();
  private final List<MemoryConnection> connections = new ArrayList<>();
  private final Deque<Runnable> words = new ArrayDeque<>();
  private boolean speaking;
  private int servers = 1;

  public MemoryStore(Supplier<Instant> clock, StoreRules rules) {
    this.clock = clock;
    this.rules = rules;
  }

  public MemoryStore(Supplier<Instant> clock) {
    this(clock, StoreRules.DEFAULT);
  }

  /** The store as one replica sees it; each replica has its own. */
  public MemoryConnection connect() {
    MemoryConnection connection = new MemoryConnection(this);
    connections.add(connection);
    return connection;
  }

  void disconnect(MemoryConnection connection) {
    connections.remove(connection);
  }

  /** Names the server that holds the data now, as a replication id does. */
  public String serverId() {
    return "server-" + servers;
  }

  /** The whole state as it is now; later steps do not change it. */
  public Copy copy() {
    return new Copy(copied(pools));
  }

  /** A failover to a server that had come this far: what was written since is lost. */
  public void restore(Copy copy) {
    pools.clear();
    pools.putAll(copied(copy.pools));
    servers++;
  }

  /** Everything is gone, on the same server. */
  public void wipe() {
    pools.clear();
  }

  private static Map<PoolName, PoolState> copied(Map<PoolName, PoolState> pools) {
    Map<PoolName, PoolState> copy = new TreeMap<>();
    pools.forEach((name, pool) -> copy.put(name, pool.copy()));
    return copy;
  }

  /** One state of the store, kept aside. */
  public static final class Copy {
    private final Map<PoolName, PoolState> pools;

    private Copy(Map<PoolName, PoolState> pools) {
      this.pools = pools;
    }
  }

  PoolState pool(PoolName name) {
    return pools.computeIfAbsent(name, PoolState::new);
  }

  /** Runs one step; a {@link StoreTrouble} thrown in it is its answer, and nothing was changed. */
  <T> Future<T> step(PoolName name, Function<Step, T> work) {
    Instant now = clock.get();
    PoolState pool = pool(name);
    pool.sessions.forgetOld(now);
    pool.keys.forgetOld(now);
    Step step = new Step(pool, now, rules, serverId());
    try {
      T answer = work.apply(step);
      return Future.succeededFuture(answer);
    } catch (StoreTrouble trouble) {
      return Future.failedFuture(trouble);
    } finally {
      spread(step);
    }
  }

  private void spread(Step step) {
    for (Grant grant : step.told()) {
      connections.forEach(each -> words.add(() -> each.hear(grant)));
    }
    for (Entry entry : step.written()) {
      connections.forEach(each -> words.add(() -> each.hear(entry)));
    }
    if (speaking) return;
    speaking = true;
    try {
      for (Runnable word = words.poll(); word != null; word = words.poll()) word.run();
    } finally {
      speaking = false;
    }
  }
}
