// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;

/**
 * One connection to a primary, and the identity of that primary: its replication id, which another
 * server never has. Every script is told it, so that a server which lost writes in a failover is
 * noticed before it grants anything. Owned by one thread.
 */
final class RedisLink implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RedisLink.class);
  private static final Pattern ROLE = Pattern.compile("(?m)^role:(\\w+)");
  private static final Pattern REPLICATION_ID =
      Pattern.compile("(?m)^master_replid:([0-9a-f]{40})");

  private final Connection connection;
  private String serverId;

  private RedisLink(Connection connection, String serverId) {
    this.connection = connection;
    this.serverId = serverId;
  }

  /** Connects to the primary for a slot. */
  static RedisLink open(RedisPlace place, int slot, int timeoutMillis) {
    HostAndPort primary = Primaries.find(place, slot, timeoutMillis);
    Connection connection =
        new Connection(
            primary, place.client(timeoutMillis).database(place.login().database()).build());
    try {
      connection.connect();
      return new RedisLink(connection, identify(connection));
    } catch (RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private static String identify(Connection connection) {
    String info = info(connection, "replication");
    Matcher role = ROLE.matcher(info);
    if (!role.find() || !"master".equals(role.group(1))) {
      throw new JedisException(connection.getHostAndPort() + " is not a primary (any more)");
    }
    Matcher id = REPLICATION_ID.matcher(info);
    if (!id.find()) throw new JedisException("Redis does not tell its replication id");
    return id.group(1);
  }

  private static String info(Connection connection, String section) {
    connection.sendCommand(Command.INFO, section);
    return new String(Objects.requireNonNull((byte[]) connection.getOne()), UTF_8);
  }

  /** All that the server says of itself. */
  String info() {
    return info(connection, "everything");
  }

  Connection connection() {
    return connection;
  }

  String serverId() {
    return serverId;
  }

  /** A primary may change its id while it runs, an hour after its last replica left. */
  void identifyAgain() {
    serverId = identify(connection);
  }

  /** Ends the connection under whoever is reading from it; from any thread. */
  void cut() {
    try {
      connection.forceDisconnect();
    } catch (IOException e) {
      log.debug("cutting a connection: {}", e.getMessage());
    }
  }

  @Override
  public void close() {
    connection.close();
  }
}
