// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import cupbear.scheduler.port.StoreTrouble.Kind;
import io.vertx.core.Context;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.exceptions.JedisException;

/**
 * One thread, one connection, one bounded queue. What has arrived while the last batch was away
 * leaves together in one pipeline; nothing waits for a batch to fill. Loses nothing silently: every
 * call is answered, with a value or with what is known about it.
 */
final class RedisLane implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RedisLane.class);

  /** Larger batches gain nothing and make the last of them wait (measured: 32–64). */
  private static final int BATCH_MAX = 64;

  /** Between two attempts to connect; calls that arrive meanwhile are refused at once. */
  private static final Duration RECONNECT_PAUSE = Duration.ofMillis(100);

  private static final Duration IDLE = Duration.ofMillis(200);

  private final RedisPlace place;
  private final int slot;
  private final RedisSettings settings;
  private final ArrayBlockingQueue<RedisCall> queue;
  private final Thread thread;
  private volatile boolean closing;

  /** Set while there is no connection: says why, so that calls need not wait to hear it. */
  private volatile @Nullable String down;

  private @Nullable RedisLink link;
  private long triedAt;

  RedisLane(RedisPlace place, int slot, RedisSettings settings, String name) {
    this.place = place;
    this.slot = slot;
    this.settings = settings;
    this.queue = new ArrayBlockingQueue<>(settings.queueMax());
    this.thread = Thread.ofPlatform().name(name).daemon().start(this::run);
  }

  int waiting() {
    return queue.size();
  }

  /** Never blocks. */
  void submit(RedisCall call) {
    String reason = down;
    if (closing) {
      refuse(call, Kind.UNREACHABLE, "the scheduler is shutting down");
    } else if (reason != null) {
      refuse(call, Kind.UNREACHABLE, reason);
    } else if (!queue.offer(call)) {
      refuse(call, Kind.OVERLOADED, "%d calls are waiting for Redis".formatted(queue.size()));
    }
  }

  private static void refuse(RedisCall call, Kind kind, String why) {
    call.refuse(kind, why);
    call.tell();
  }

  @SuppressWarnings("IllegalCatch") // a lane that ends takes every later call with it
  private void run() {
    List<RedisCall> batch = new ArrayList<>(BATCH_MAX);
    while (!closing || !queue.isEmpty()) {
      try {
        RedisCall first = queue.poll(IDLE.toMillis(), TimeUnit.MILLISECONDS);
        if (first != null) {
          batch.add(first);
          queue.drainTo(batch, BATCH_MAX - 1);
          carry(batch);
        } else if (link == null) {
          connect();
        }
      } catch (InterruptedException e) {
        closing = true;
      } catch (RuntimeException bug) {
        log.error("A lane to Redis met a bug; {} calls were on their way", batch.size(), bug);
        abandon(batch);
      }
      batch.clear();
    }
    drop();
  }

  /** What has been answered stays so; of the rest nobody knows whether it was carried out. */
  private void abandon(List<RedisCall> batch) {
    drop();
    for (RedisCall call : batch) {
      if (!call.isSettled()) call.refuse(Kind.UNSURE, "something unexpected happened on the way");
    }
    tell(batch);
  }

  /** Sends a batch and settles every call of it. */
  private void carry(List<RedisCall> batch) {
    List<RedisCall> left = withoutOverdue(batch);
    while (!left.isEmpty()) {
      RedisLink open = link != null ? link : connect();
      if (open == null) {
        String why = String.valueOf(down);
        left.forEach(call -> call.refuse(Kind.UNREACHABLE, why));
        break;
      }
      RedisBatch sent = RedisBatch.carry(open, left, settings);
      if (sent.linkIsBroken()) drop();
      left = sent.again();
    }
    tell(batch);
  }

  private static List<RedisCall> withoutOverdue(List<RedisCall> batch) {
    long now = System.nanoTime();
    List<RedisCall> live = new ArrayList<>(batch.size());
    for (RedisCall call : batch) {
      if (call.isOverdue(now))
        call.refuse(Kind.UNREACHABLE, "its time was over before it was sent");
      else live.add(call);
    }
    return live;
  }

  /** One hop per context and batch, not one per call. */
  private static void tell(List<RedisCall> batch) {
    IdentityHashMap<Context, List<RedisCall>> byContext = new IdentityHashMap<>();
    for (RedisCall call : batch) {
      Context context = call.context();
      if (context == null) call.tell();
      else byContext.computeIfAbsent(context, any -> new ArrayList<>()).add(call);
    }
    byContext.forEach(
        (context, calls) -> context.runOnContext(any -> calls.forEach(RedisCall::tell)));
  }

  private @Nullable RedisLink connect() {
    long sinceTried = System.nanoTime() - triedAt;
    if (down != null && sinceTried < RECONNECT_PAUSE.toNanos()) return null;
    triedAt = System.nanoTime();
    try {
      link = RedisLink.open(place, slot, (int) settings.timeout().toMillis());
      if (down != null) log.info("Redis is back: {}", place);
      down = null;
    } catch (JedisException e) {
      if (down == null) log.warn("Redis cannot be reached: {}: {}", place, e.getMessage());
      down = "Redis cannot be reached: " + e.getMessage();
    }
    return link;
  }

  private void drop() {
    if (link == null) return;
    try {
      link.close();
    } catch (JedisException e) {
      log.debug("closing a broken connection: {}", e.getMessage());
    }
    link = null;
  }

  /** Carries out what is queued, then ends. */
  @Override
  public void close() {
    closing = true;
    thread.interrupt();
    try {
      thread.join(settings.timeout().multipliedBy(2));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
