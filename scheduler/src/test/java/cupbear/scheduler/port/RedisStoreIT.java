// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import cupbear.redis.LocalRedis;
import cupbear.redis.testing.RedisExtension;
import org.junit.jupiter.api.extension.ExtendWith;

/** The store on a real Redis keeps every contract that the store without wires keeps. */
@ExtendWith(RedisExtension.class)
class RedisStoreIT extends RedisContracts {
  private final RedisServers servers;

  RedisStoreIT(LocalRedis redis) {
    this.servers = RedisServers.of(redis);
  }

  @Override
  RedisServers servers() {
    return servers;
  }
}
