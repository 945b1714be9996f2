// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import static cupbear.scheduler.adapter.redis.RedisPlace.Kind.CLUSTER;
import static cupbear.scheduler.adapter.redis.RedisPlace.Kind.SENTINEL;
import static cupbear.scheduler.adapter.redis.RedisPlace.Kind.STANDALONE;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which servers may keep sessions in production. */
class ServerFactsTest {
  private static ServerFacts server(RedisPlace.Kind kind, int replicas, boolean refusesAlone) {
    return new ServerFacts(kind, "7.0.15", "abc", replicas, refusesAlone, "noeviction");
  }

  @Test
  @DisplayName("INFO is read line by line; the line about good replicas is there or not")
  void reads() {
    String info =
        String.join(
            "\r\n",
            "# Server",
            "redis_version:7.2.4",
            "role:master",
            "connected_slaves:2",
            "min_slaves_good_slaves:2",
            "master_replid:c0ffee",
            "maxmemory_policy:allkeys-lru",
            "");
    assertThat(ServerFacts.of(SENTINEL, info))
        .isEqualTo(new ServerFacts(SENTINEL, "7.2.4", "c0ffee", 2, true, "allkeys-lru"));
    assertThat(ServerFacts.of(SENTINEL, info.replace("min_slaves_good_slaves:2\r\n", "")))
        .extracting(ServerFacts::refusesAlone)
        .isEqualTo(false);
  }

  @Test
  @DisplayName("standalone: nothing to complain about")
  void standalone() {
    assertThat(server(STANDALONE, 0, false).concerns(false)).isEmpty();
  }

  @Test
  @DisplayName("Sentinel or Cluster: a primary must refuse to write alone")
  void alone() {
    assertThat(server(SENTINEL, 2, true).concerns(true)).isEmpty();
    assertThat(server(SENTINEL, 2, false).concerns(false))
        .singleElement()
        .asString()
        .contains("min-replicas-to-write");
    assertThat(server(CLUSTER, 1, false).concerns(false))
        .singleElement()
        .asString()
        .contains("min-replicas-to-write");
  }

  @Test
  @DisplayName("strict: there must be a replica to acknowledge")
  void strict() {
    assertThat(server(STANDALONE, 0, false).concerns(true))
        .singleElement()
        .asString()
        .contains("add a replica");
    assertThat(server(STANDALONE, 1, false).concerns(true)).isEmpty();
  }

  @Test
  @DisplayName("old, or throwing data away when full: said with what to do")
  void oldAndForgetful() {
    ServerFacts old = new ServerFacts(STANDALONE, "6.2.11", "abc", 0, false, "allkeys-lru");
    assertThat(old.concerns(false)).hasSize(2).first().asString().contains("7.0 or newer");
    assertThat(old.concerns(false).get(1)).contains("noeviction");
  }
}
