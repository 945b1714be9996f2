// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import cupbear.redis.LocalCluster;
import cupbear.redis.testing.RedisExtension;
import org.junit.jupiter.api.extension.ExtendWith;

/** The store keeps every contract on a Redis Cluster. */
@ExtendWith(RedisExtension.class)
class RedisClusterStoreIT extends RedisContracts {
  private final RedisServers servers;

  RedisClusterStoreIT(LocalCluster cluster) {
    this.servers = RedisServers.of(cluster);
  }

  @Override
  RedisServers servers() {
    return servers;
  }
}
