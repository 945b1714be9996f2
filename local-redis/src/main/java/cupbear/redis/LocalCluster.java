// SPDX-License-Identifier: Apache-2.0
package cupbear.redis;

import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.util.JedisClusterCRC16;

/** A Redis Cluster of three primaries, all real processes, each owning a third of the slots. */
public final class LocalCluster implements AutoCloseable {

  private static final int NODES = 3;
  private static final int SLOTS = 16_384;

  private final RedisSetup setup;

  private LocalCluster(RedisSetup setup) {
    this.setup = setup;
  }

  /** Returns when every node says that the cluster is whole. */
  public static LocalCluster start() {
    return new LocalCluster(RedisSetup.start(LocalCluster::startAll));
  }

  private static void startAll(RedisSetup setup) {
    for (int i = 1; i <= NODES; i++) {
      // The bus port is named, for the default (port + 10,000) may not exist for a high port.
      setup.add(
          "node-" + i,
          port ->
              List.of(
                  "save \"\"",
                  "masterauth " + setup.password(),
                  "cluster-enabled yes",
                  "cluster-port " + RedisProcess.freePort(),
                  // For tests that give a server another replication id.
                  "enable-debug-command local",
                  "cluster-node-timeout 1500"));
    }
    for (int i = 0; i < NODES; i++) {
      try (Jedis node = setup.processes().get(i).address().connect()) {
        node.clusterAddSlots(IntStream.range(i * SLOTS / NODES, (i + 1) * SLOTS / NODES).toArray());
        // Nodes with the same epoch quarrel about who owns what; each gets its own before they
        // meet.
        node.sendCommand(Command.CLUSTER, "SET-CONFIG-EPOCH", "" + (i + 1));
      }
    }
    setup.processes().stream().skip(1).forEach(other -> meet(setup.processes().getFirst(), other));
    setup.processes().forEach(node -> setup.awaitThat("the cluster is whole", () -> isWhole(node)));
  }

  private static void meet(RedisProcess first, RedisProcess other) {
    try (Jedis node = first.address().connect();
        Jedis met = other.address().connect()) {
      node.sendCommand(
          Command.CLUSTER,
          "MEET",
          RedisProcess.HOST,
          "" + other.address().port(),
          met.configGet("cluster-port").get("cluster-port"));
    }
  }

  private static boolean isWhole(RedisProcess node) {
    try (Jedis jedis = node.address().connect()) {
      String info = jedis.clusterInfo();
      return info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:" + NODES);
    }
  }

  /** Addresses to start discovery from; the password is the same on all. */
  public Set<HostAndPort> nodes() {
    return setup.processes().stream()
        .map(each -> each.address().hostAndPort())
        .collect(Collectors.toUnmodifiableSet());
  }

  public String password() {
    return setup.password();
  }

  /** For clients that take a URI. It holds the password: do not log it. */
  public URI uri() {
    return RedisAddress.uri("redis-cluster", password(), nodes(), "");
  }

  /** All nodes, in the order of their slots at the start. */
  public List<RedisProcess> servers() {
    return setup.processes();
  }

  /** The node that had the slot of this key at the start. */
  public RedisProcess owner(String key) {
    return setup.processes().get(JedisClusterCRC16.getSlot(key) * NODES / SLOTS);
  }

  @Override
  public void close() {
    setup.close();
  }
}
