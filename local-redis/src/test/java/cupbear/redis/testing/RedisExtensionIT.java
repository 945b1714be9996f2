// SPDX-License-Identifier: Apache-2.0
package cupbear.redis.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import cupbear.redis.LocalCluster;
import cupbear.redis.LocalSentinel;
import cupbear.redis.RedisAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.exceptions.JedisException;

@ExtendWith(RedisExtension.class)
class RedisExtensionIT {

  @Test
  void standaloneRunsScripts(RedisAddress redis) {
    try (Jedis jedis = redis.connect()) {
      assertThat(jedis.eval("return redis.call('INCR', 'x')")).isEqualTo(1L);
      assertThat(jedis.info("server")).contains("redis_version:7.");
    }
  }

  @Test
  void oneStandalonePerTestClass(RedisAddress first, RedisAddress second) {
    assertThat(first).isEqualTo(second);
  }

  @Test
  void sentinelPromotesAReplicaWhenThePrimaryDies(LocalSentinel sentinel) {
    try (RedisSentinelClient client =
        RedisSentinelClient.builder()
            .masterName(LocalSentinel.PRIMARY_NAME)
            .sentinels(sentinel.sentinels())
            .clientConfig(withPassword(sentinel.password()))
            .sentinelClientConfig(withPassword(sentinel.password()))
            .build()) {
      client.set("cup", "full");

      sentinel.firstPrimary().kill();

      await()
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptionsInstanceOf(JedisException.class)
          .untilAsserted(() -> assertThat(client.set("cup", "fuller")).isEqualTo("OK"));
      assertThat(client.get("cup")).isEqualTo("fuller");
    }
  }

  @Test
  void clusterKeepsWhatSharesAHashTagTogether(LocalCluster cluster) {
    try (RedisClusterClient client =
        RedisClusterClient.builder()
            .nodes(cluster.nodes())
            .clientConfig(withPassword(cluster.password()))
            .build()) {
      client.mset("cb:{a}:1", "x", "cb:{a}:2", "y");

      assertThat(client.mget("cb:{a}:1", "cb:{a}:2")).containsExactly("x", "y");
      assertThat(client.getClusterNodes()).hasSize(3);
    }
  }

  private static JedisClientConfig withPassword(String password) {
    return DefaultJedisClientConfig.builder().password(password).build();
  }
}
