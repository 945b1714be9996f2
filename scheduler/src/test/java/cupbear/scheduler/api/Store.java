// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.adapter.memory.MemoryConnection;
import cupbear.scheduler.adapter.memory.MemoryStore;
import cupbear.scheduler.adapter.redis.RedisPlace;
import cupbear.scheduler.adapter.redis.RedisSettings;
import cupbear.scheduler.adapter.redis.RedisStore;
import cupbear.scheduler.model.StoreRules;
import cupbear.scheduler.port.Book;
import cupbear.scheduler.port.Claims;
import cupbear.scheduler.port.Journal;
import cupbear.scheduler.port.Leadership;
import cupbear.scheduler.port.Recovery;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Instant;

/** The ports of one replica to a store, and how to let go of it. */
record Store(
    Claims claims,
    Book book,
    Recovery recovery,
    Leadership leadership,
    Journal journal,
    Runnable close) {

  static Store memory(StoreRules rules) {
    MemoryStore store = new MemoryStore(Instant::now, rules);
    MemoryConnection connection = store.connect();
    return new Store(
        locked(store, Claims.class, connection.claims()),
        locked(store, Book.class, connection.book()),
        locked(store, Recovery.class, connection.recovery()),
        locked(store, Leadership.class, connection.leadership()),
        locked(store, Journal.class, connection.journal()),
        connection::close);
  }

  /** The store without wires has one thread; here it is asked by several, one after another. */
  private static <T> T locked(Object lock, Class<T> port, T inner) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) -> {
              synchronized (lock) {
                try {
                  return method.invoke(inner, arguments);
                } catch (InvocationTargetException failed) {
                  throw failed.getCause();
                }
              }
            }));
  }

  static Store redis(String uri) {
    RedisStore store =
        new RedisStore(RedisPlace.of(uri), RedisSettings.DEFAULT, StoreRules.DEFAULT);
    return new Store(
        store.claims(),
        store.book(),
        store.recovery(),
        store.leadership(),
        store.journal(),
        store::close);
  }
}
