// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import static cupbear.scheduler.adapter.redis.Fields.list;
import static cupbear.scheduler.adapter.redis.Fields.text;
import static cupbear.scheduler.adapter.redis.Fields.texts;

import cupbear.scheduler.model.PoolName;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * Hears what happens in one pool, on any replica: follows the stream of grants to waiters (and the
 * journal, when somebody listens to it) with a blocking read on a connection of its own. After a
 * break it goes on where it was; words may still be lost (capped streams, a wiped server), so
 * whoever needs one asks again by itself.
 */
final class RedisEar implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RedisEar.class);
  private static final Duration BLOCK = Duration.ofMillis(500);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration OVERLAP = Duration.ofMillis(2);
  private static final String AT_ONCE = "1000";

  private final RedisPlace place;
  private final PoolName pool;
  private final RedisSettings settings;
  private final RedisClaims claims;
  private final RedisJournal journal;
  private final String grantStream;
  private final String journalStream;
  private final Thread thread;

  /** The newest item heard of each stream. */
  private final Map<String, String> heard = new HashMap<>();

  private final long startedNanos = System.nanoTime();

  /** When somebody first listened to the journal. */
  private volatile long followedNanos = System.nanoTime();

  private volatile boolean closing;
  private volatile @Nullable RedisLink link;

  RedisEar(
      RedisPlace place,
      PoolName pool,
      RedisSettings settings,
      RedisClaims claims,
      RedisJournal journal) {
    this.place = place;
    this.pool = pool;
    this.settings = settings;
    this.claims = claims;
    this.journal = journal;
    this.grantStream = RedisLanes.prefix(pool) + ":grants";
    this.journalStream = RedisLanes.prefix(pool) + ":journal";
    this.thread = Thread.ofPlatform().name("redis-ear-" + pool).daemon().start(this::run);
  }

  /** From now on somebody listens to the journal. */
  void follow() {
    followedNanos = System.nanoTime();
  }

  private void run() {
    while (!closing) {
      try {
        listen(open());
      } catch (JedisException e) {
        log.debug("not hearing {}: {}", pool, e.getMessage());
        drop();
        LockSupport.parkNanos(PAUSE.toNanos());
      } catch (RuntimeException e) {
        log.error("A listener of {} failed", pool, e);
      }
    }
    drop();
  }

  private RedisLink open() {
    RedisLink open = link;
    if (open != null) return open;
    int slot = JedisClusterCRC16.getSlot(grantStream);
    open = RedisLink.open(place, slot, (int) settings.timeout().plus(BLOCK).toMillis());
    link = open;
    return open;
  }

  private void listen(RedisLink open) {
    List<String> streams =
        journal.hasListeners(pool) ? List.of(grantStream, journalStream) : List.of(grantStream);
    CommandArguments read =
        new CommandArguments(Command.XREAD)
            .add("COUNT")
            .add(AT_ONCE)
            .add("BLOCK")
            .add(Long.toString(BLOCK.toMillis()))
            .add("STREAMS");
    streams.forEach(read::add);
    for (String stream : streams) {
      String from = heard.get(stream);
      if (from == null) {
        from = since(open, stream.equals(journalStream) ? followedNanos : startedNanos);
        heard.put(stream, from);
      }
      read.add(from);
    }
    open.connection().sendCommand(read);
    Object reply = open.connection().getOne();
    if (reply == null) return;
    for (Object stream : list(reply)) {
      hand(text(list(stream).getFirst()), list(list(stream).get(1)));
    }
  }

  /** The place in a stream where it stood at that moment of ours, a little earlier for safety. */
  private static String since(RedisLink open, long nanos) {
    open.connection().sendCommand(Command.TIME);
    List<String> time = texts(open.connection().getOne());
    long now = Long.parseLong(time.get(0)) * 1000 + Long.parseLong(time.get(1)) / 1000;
    long ago = Duration.ofNanos(System.nanoTime() - nanos).plus(OVERLAP).toMillis();
    return (now - ago) + "-0";
  }

  private void hand(String stream, List<?> items) {
    for (Object item : items) {
      heard.put(stream, text(list(item).getFirst()));
      if (stream.equals(journalStream)) journal.heard(pool, RedisJournal.entry(pool, item));
      else claims.heard(pool, Fields.of(list(item).get(1)).get("session"));
    }
  }

  private void drop() {
    RedisLink open = link;
    link = null;
    if (open == null) return;
    try {
      open.close();
    } catch (JedisException e) {
      log.debug("closing a broken connection: {}", e.getMessage());
    }
  }

  @Override
  public void close() {
    closing = true;
    // Its blocking read ends with the connection.
    RedisLink open = link;
    if (open != null) open.cut();
    LockSupport.unpark(thread);
    try {
      thread.join(BLOCK.plus(settings.timeout()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
