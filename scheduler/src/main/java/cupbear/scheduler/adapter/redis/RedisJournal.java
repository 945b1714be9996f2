// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import static cupbear.scheduler.adapter.redis.Fields.list;
import static cupbear.scheduler.adapter.redis.Fields.millis;
import static cupbear.scheduler.adapter.redis.Fields.text;

import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.port.Journal;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The journal as a capped stream: {@code journal}. Any thread. */
final class RedisJournal implements Journal {
  private static final Script JOURNAL = Script.named("journal");

  private final RedisStore store;
  private final Map<PoolName, List<Consumer<Entry>>> listeners = new ConcurrentHashMap<>();

  RedisJournal(RedisStore store) {
    this.store = store;
  }

  @Override
  public Future<Void> append(PoolName pool, List<Entry> entries) {
    if (entries.isEmpty()) return Future.succeededFuture();
    List<String> args = new ArrayList<>();
    args.add("append");
    for (Entry entry : entries) {
      List<String> fields = fields(entry);
      args.add(Integer.toString(fields.size()));
      args.addAll(fields);
    }
    return store.call(pool, JOURNAL, args).mapEmpty();
  }

  private static List<String> fields(Entry entry) {
    List<String> fields = new ArrayList<>();
    fields.addAll(List.of("at", millis(entry.at()), "kind", entry.kind()));
    fields.addAll(List.of("region", Objects.toString(entry.region(), "")));
    fields.addAll(List.of("machine", Objects.toString(entry.machine(), "")));
    fields.addAll(List.of("session", Objects.toString(entry.session(), "")));
    fields.addAll(List.of("epoch", Objects.toString(entry.epoch(), ""), "why", entry.why()));
    entry.data().forEach((name, value) -> fields.addAll(List.of(name, value)));
    return fields;
  }

  @Override
  public Future<List<Entry>> after(PoolName pool, String after, int most) {
    List<String> args =
        List.of("after", after.isEmpty() ? "-" : "(" + after, Integer.toString(most));
    return store
        .call(pool, JOURNAL, args)
        .map(reply -> list(reply).stream().map(each -> entry(pool, each)).toList());
  }

  static Entry entry(PoolName pool, Object item) {
    List<?> parts = list(item);
    return Records.entry(pool, text(parts.getFirst()), Fields.of(parts.get(1)));
  }

  @Override
  public void onEntry(PoolName pool, Consumer<Entry> listener) {
    if (!listeners.containsKey(pool)) store.ear(pool).follow();
    listeners.computeIfAbsent(pool, any -> new CopyOnWriteArrayList<>()).add(listener);
  }

  boolean hasListeners(PoolName pool) {
    return listeners.containsKey(pool);
  }

  void heard(PoolName pool, Entry entry) {
    listeners.getOrDefault(pool, List.of()).forEach(listener -> listener.accept(entry));
  }
}
