// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Finds the server that may be written to for one pool. Asked at every new connection, so that a
 * failover costs no more than a reconnect. Blocks: for lane threads only.
 */
final class Primaries {
  private Primaries() {}

  /** The server to try now. */
  static HostAndPort find(RedisPlace place, int slot, int timeoutMillis) {
    return switch (place.kind()) {
      case STANDALONE -> place.seeds().getFirst();
      case SENTINEL -> ask(place, timeoutMillis, "sentinel", link -> fromSentinel(link, place));
      case CLUSTER -> ask(place, timeoutMillis, "node", link -> fromCluster(link, slot));
    };
  }

  private interface Question {
    HostAndPort answer(Connection link);
  }

  private static HostAndPort ask(
      RedisPlace place, int timeoutMillis, String what, Question question) {
    JedisException last = null;
    for (HostAndPort seed : place.seeds()) {
      try (Connection link = new Connection(seed, place.client(timeoutMillis).build())) {
        return question.answer(link);
      } catch (JedisException e) {
        last = e;
      }
    }
    throw new JedisException(
        "no "
            + what
            + " of "
            + place.seeds()
            + " knows the primary; the last one said: "
            + (last == null ? "nothing" : last.getMessage()));
  }

  private static HostAndPort fromSentinel(Connection link, RedisPlace place) {
    link.sendCommand(Command.SENTINEL, "GET-MASTER-ADDR-BY-NAME", place.primaryName());
    Object answer = link.getOne();
    if (!(answer instanceof List<?> pair) || pair.size() < 2) {
      throw new JedisException("it does not know a primary named " + place.primaryName());
    }
    return new HostAndPort(text(pair.get(0)), Integer.parseInt(text(pair.get(1))));
  }

  /** CLUSTER SLOTS: ranges of [first, last, [host, port, …], replicas…]. */
  private static HostAndPort fromCluster(Connection link, int slot) {
    link.sendCommand(Command.CLUSTER, "SLOTS");
    for (Object range : (List<?>) link.getOne()) {
      List<?> parts = (List<?>) range;
      if (slot < (Long) parts.get(0) || slot > (Long) parts.get(1)) continue;
      List<?> primary = (List<?>) parts.get(2);
      Object host = primary.get(0);
      String name = host == null ? "" : text(host);
      // An empty host means: the one you are talking to.
      return new HostAndPort(
          name.isEmpty() ? link.getHostAndPort().getHost() : name,
          ((Long) primary.get(1)).intValue());
    }
    throw new JedisException("no node serves slot " + slot);
  }

  private static String text(Object bytes) {
    return bytes instanceof byte[] raw ? new String(raw, UTF_8) : String.valueOf(bytes);
  }
}
