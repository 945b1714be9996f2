// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import static cupbear.scheduler.adapter.redis.Stage.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import cupbear.redis.LocalCluster;
import cupbear.redis.RedisProcess;
import cupbear.redis.testing.RedisExtension;
import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.Grant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.MigrateParams;
import redis.clients.jedis.util.JedisClusterCRC16;

/** What only a Cluster does: pools on several nodes, and slots that move. */
@ExtendWith(RedisExtension.class)
class RedisClusterIT {
  private final LocalCluster cluster;

  RedisClusterIT(LocalCluster cluster) {
    this.cluster = cluster;
  }

  @Test
  @DisplayName("pools live on different nodes, each whole on one")
  void poolsSpread() {
    List<Stage> stages = new ArrayList<>();
    Set<RedisProcess> nodes = new HashSet<>();
    try {
      while (nodes.size() < 2) {
        Stage stage = Stage.open(cluster.uri(), Stage.HASTY);
        stages.add(stage);
        nodes.add(cluster.owner(RedisLanes.prefix(stage.pool)));
        stage.warm("m1");
        stage.granted("k-1");
      }
    } finally {
      stages.forEach(Stage::close);
    }
  }

  @Test
  @DisplayName("a pool whose slot moved is found, and is not believed before it is rebuilt")
  void slotMoves() {
    try (Stage stage = Stage.open(cluster.uri(), Stage.HASTY)) {
      stage.warm("m1");
      Grant before = stage.granted("k-1");

      move(RedisLanes.prefix(stage.pool));

      ClaimResult first =
          await()
              .ignoreExceptionsInstanceOf(IllegalStateException.class)
              .until(() -> get(stage.claim("k-2")), answer -> true);
      assertThat(first).isInstanceOf(ClaimResult.Recovering.class);
      stage.mandate = stage.lead(List.of(before));
      assertThat(stage.granted("k-1").session()).isEqualTo(before.session());
      stage.warm("m2");
      assertThat(stage.granted("k-2").epoch()).isGreaterThan(before.epoch());
    }
  }

  /** As an operator moves a slot: all its keys, then everybody hears of it. */
  private void move(String key) {
    int slot = JedisClusterCRC16.getSlot(key);
    RedisProcess from = cluster.owner(key);
    RedisProcess to =
        cluster.servers().stream().filter(each -> each != from).findFirst().orElseThrow();
    try (Jedis source = from.address().connect();
        Jedis target = to.address().connect()) {
      target.clusterSetSlotImporting(slot, source.clusterMyId());
      source.clusterSetSlotMigrating(slot, target.clusterMyId());
      String[] keys = source.clusterGetKeysInSlot(slot, 1_000).toArray(String[]::new);
      source.migrate(
          to.address().host(),
          to.address().port(),
          5_000,
          MigrateParams.migrateParams().auth(cluster.password()),
          keys);
      target.clusterSetSlotNode(slot, target.clusterMyId());
      source.clusterSetSlotNode(slot, target.clusterMyId());
    }
  }
}
