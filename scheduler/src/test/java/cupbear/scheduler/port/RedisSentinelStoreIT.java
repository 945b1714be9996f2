// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import cupbear.redis.LocalSentinel;
import cupbear.redis.testing.RedisExtension;
import org.junit.jupiter.api.extension.ExtendWith;

/** The store keeps every contract on a primary that sentinels name. */
@ExtendWith(RedisExtension.class)
class RedisSentinelStoreIT extends RedisContracts {
  private final RedisServers servers;

  RedisSentinelStoreIT(LocalSentinel sentinel) {
    this.servers = RedisServers.of(sentinel);
  }

  @Override
  RedisServers servers() {
    return servers;
  }
}
