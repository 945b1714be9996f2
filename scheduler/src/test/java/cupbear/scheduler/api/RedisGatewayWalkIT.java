// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.redis.LocalRedis;
import cupbear.redis.testing.RedisExtension;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.Jedis;

@ExtendWith(RedisExtension.class)
class RedisGatewayWalkIT extends GatewayWalk {
  private final LocalRedis redis;

  RedisGatewayWalkIT(LocalRedis redis) {
    this.redis = redis;
  }

  @Override
  Store store() {
    try (Jedis jedis = redis.address().connect()) {
      jedis.flushAll();
    }
    return Store.redis(redis.address().uri().toString());
  }
}
