// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import static java.nio.charset.StandardCharsets.UTF_8;

import cupbear.redis.LocalCluster;
import cupbear.redis.LocalRedis;
import cupbear.redis.LocalSentinel;
import cupbear.redis.RedisAddress;
import java.net.URI;
import java.util.List;
import java.util.function.Consumer;
import redis.clients.jedis.Jedis;

/**
 * The Redis servers under a test, and how to harm them.
 *
 * @param url as an operator would write it
 * @param primary the server that has the pool of the contracts
 * @param all every server that can be written to
 * @param rename gives a server a replication id that nobody has seen
 */
record RedisServers(URI url, RedisAddress primary, List<RedisAddress> all, Consumer<Jedis> rename) {
  private static final String PREFIX = "cb:{" + StoreContract.POOL + "}";

  static RedisServers of(LocalRedis redis) {
    RedisAddress address = redis.address();
    return new RedisServers(
        address.uri(), address, List.of(address), RedisServers::followAndLeadAgain);
  }

  static RedisServers of(LocalSentinel sentinel) {
    RedisAddress primary = sentinel.firstPrimary().address();
    return new RedisServers(
        sentinel.uri(), primary, List.of(primary), RedisServers::changeReplicationId);
  }

  static RedisServers of(LocalCluster cluster) {
    return new RedisServers(
        cluster.uri(),
        cluster.owner(PREFIX).address(),
        cluster.servers().stream().map(each -> each.address()).toList(),
        RedisServers::changeReplicationId);
  }

  private static void followAndLeadAgain(Jedis jedis) {
    jedis.replicaof("127.0.0.1", 1);
    jedis.replicaofNoOne();
  }

  /** Without losing its replicas, for it would refuse all writes until they are back. */
  private static void changeReplicationId(Jedis jedis) {
    jedis.sendCommand(() -> "DEBUG".getBytes(UTF_8), "CHANGE-REPL-ID");
  }

  void wipe() {
    for (RedisAddress each : all) {
      try (Jedis jedis = each.connect()) {
        jedis.flushAll();
      }
    }
  }
}
