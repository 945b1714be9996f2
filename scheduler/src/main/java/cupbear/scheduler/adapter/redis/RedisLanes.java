// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import cupbear.scheduler.model.PoolName;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * The way of one pool's calls to Redis. All keys of a pool share one slot, so its lanes all lead to
 * the same server. Any thread; never blocks.
 */
final class RedisLanes implements AutoCloseable {
  private final RedisSettings settings;
  private final String prefix;
  private final List<RedisLane> lanes;
  private final AtomicInteger turn = new AtomicInteger();

  RedisLanes(RedisPlace place, PoolName pool, RedisSettings settings) {
    this.settings = settings;
    this.prefix = prefix(pool);
    int slot = JedisClusterCRC16.getSlot(prefix);
    this.lanes =
        IntStream.range(0, settings.lanes())
            .mapToObj(i -> new RedisLane(place, slot, settings, "redis-" + pool + "-" + i))
            .toList();
  }

  /** What all keys of a pool start with. */
  static String prefix(PoolName pool) {
    return "cb:{" + pool + "}";
  }

  Future<Object> call(Script script, List<String> args) {
    Context context = Vertx.currentContext();
    long deadline = System.nanoTime() + settings.callWithin().toNanos();
    RedisCall call = new RedisCall(script, prefix, args, deadline, context);
    lanes.get(Math.floorMod(turn.getAndIncrement(), lanes.size())).submit(call);
    return call.future();
  }

  /** Calls that wait to be sent. */
  int waiting() {
    return lanes.stream().mapToInt(RedisLane::waiting).sum();
  }

  @Override
  public void close() {
    lanes.forEach(RedisLane::close);
  }
}
