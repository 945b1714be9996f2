// SPDX-License-Identifier: Apache-2.0
package cupbear.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A primary, two replicas and three sentinels, all real processes, set up as we run them in
 * production: a primary that lost sight of every replica refuses writes, so that a frozen one that
 * comes back cannot grant what the new one also grants.
 */
public final class LocalSentinel implements AutoCloseable {

  /** The name the sentinels know the primary by. */
  public static final String PRIMARY_NAME = "cupbear";

  private static final int REPLICAS = 2;
  private static final int SENTINELS = 3;
  private static final int QUORUM = 2;

  private static final List<String> DATA_SETTINGS =
      List.of(
          "save \"\"",
          "repl-diskless-sync-delay 0",
          "repl-ping-replica-period 1",
          "min-replicas-to-write 1",
          "min-replicas-max-lag 2",
          // For tests that give a server another replication id.
          "enable-debug-command local");

  private final RedisSetup setup;

  private LocalSentinel(RedisSetup setup) {
    this.setup = setup;
  }

  /** Returns when both replicas have synchronised and the sentinels agree on a quorum. */
  public static LocalSentinel start() {
    return new LocalSentinel(RedisSetup.start(LocalSentinel::startAll));
  }

  private static void startAll(RedisSetup setup) {
    List<String> data = new ArrayList<>(DATA_SETTINGS);
    data.add("masterauth " + setup.password());
    RedisProcess primary = setup.add("primary", port -> data);
    int primaryPort = primary.address().port();
    data.add("replicaof " + RedisProcess.HOST + " " + primaryPort);
    IntStream.rangeClosed(1, REPLICAS).forEach(i -> setup.add("replica-" + i, port -> data));
    // Sentinels learn of replicas from the primary; those that come later are found 10 s later.
    setup.awaitThat(
        "both replicas are in step",
        () -> primary.info("replication").contains("connected_slaves:" + REPLICAS));
    List<String> watch =
        List.of(
            "sentinel monitor %s %s %d %d"
                .formatted(PRIMARY_NAME, RedisProcess.HOST, primaryPort, QUORUM),
            "sentinel auth-pass " + PRIMARY_NAME + " " + setup.password(),
            "sentinel sentinel-pass " + setup.password(),
            "sentinel down-after-milliseconds " + PRIMARY_NAME + " 1000",
            "sentinel failover-timeout " + PRIMARY_NAME + " 5000");
    IntStream.rangeClosed(1, SENTINELS)
        .forEach(i -> setup.add("sentinel-" + i, port -> watch, "--sentinel"));
    setup
        .processes()
        .subList(1 + REPLICAS, 1 + REPLICAS + SENTINELS)
        .forEach(sentinel -> setup.awaitThat("sentinels agree", () -> hasQuorum(sentinel)));
  }

  private static boolean hasQuorum(RedisProcess sentinel) {
    try (Jedis jedis = sentinel.address().connect()) {
      byte[] answer = (byte[]) jedis.sendCommand(Command.SENTINEL, "CKQUORUM", PRIMARY_NAME);
      return new String(answer, UTF_8).contains(SENTINELS + " usable");
    } catch (JedisException notYet) {
      return false;
    }
  }

  /** The server that was the primary at the start. */
  public RedisProcess firstPrimary() {
    return setup.processes().getFirst();
  }

  /** The server that the sentinels take for the primary now. */
  public RedisProcess primary() {
    IllegalStateException none =
        new IllegalStateException("no sentinel knows a primary; is a failover under way?");
    for (HostAndPort sentinel : sentinels()) {
      try (Jedis jedis =
          new RedisAddress(sentinel.getHost(), sentinel.getPort(), password()).connect()) {
        int port = Integer.parseInt(jedis.sentinelGetMasterAddrByName(PRIMARY_NAME).getLast());
        return setup.processes().stream()
            .filter(each -> each.address().port() == port)
            .findFirst()
            .orElseThrow(() -> none);
      } catch (JedisException away) {
        none.addSuppressed(away);
      }
    }
    throw none;
  }

  /** Where clients ask for the primary; the password is that of the servers. */
  public Set<HostAndPort> sentinels() {
    return setup.processes().stream()
        .skip(1 + REPLICAS)
        .map(each -> each.address().hostAndPort())
        .collect(Collectors.toUnmodifiableSet());
  }

  public String password() {
    return setup.password();
  }

  /** For clients that take a URI. It holds the password: do not log it. */
  public URI uri() {
    return RedisAddress.uri("redis-sentinel", password(), sentinels(), PRIMARY_NAME);
  }

  /** The servers that were replicas at the start. */
  public List<RedisProcess> firstReplicas() {
    return setup.processes().subList(1, 1 + REPLICAS);
  }

  @Override
  public void close() {
    setup.close();
  }
}
