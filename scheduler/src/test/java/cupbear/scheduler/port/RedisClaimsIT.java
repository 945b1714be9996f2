// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import cupbear.redis.LocalRedis;
import cupbear.redis.testing.RedisExtension;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(RedisExtension.class)
class RedisClaimsIT extends ClaimsContract {
  private final LocalRedis redis;

  RedisClaimsIT(LocalRedis redis) {
    this.redis = redis;
  }

  @Override
  StoreFixture open() {
    return new RedisFixture(redis);
  }
}
