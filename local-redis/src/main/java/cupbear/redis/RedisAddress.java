// SPDX-License-Identifier: Apache-2.0
package cupbear.redis;

import java.net.URI;
import java.util.Set;
import java.util.stream.Collectors;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;

/** Where one Redis server listens, and its password; never prints the password. */
public record RedisAddress(String host, int port, String password) {

  /** For clients that take a URI. It holds the password: do not log it. */
  public URI uri() {
    return URI.create("redis://:" + password + "@" + host + ":" + port);
  }

  /** Several servers behind one name, as a URI. */
  static URI uri(String scheme, String password, Set<HostAndPort> servers, String name) {
    String hosts =
        servers.stream().map(HostAndPort::toString).sorted().collect(Collectors.joining(","));
    String path = name.isEmpty() ? "" : "/" + name;
    return URI.create(scheme + "://:" + password + "@" + hosts + path);
  }

  public HostAndPort hostAndPort() {
    return new HostAndPort(host, port);
  }

  /** A fresh connection, authenticated; the caller closes it. */
  public Jedis connect() {
    return new Jedis(
        hostAndPort(),
        DefaultJedisClientConfig.builder()
            .password(password)
            // The plain Jedis class speaks RESP2 only, and warns at every connection unless told
            // so.
            .autoNegotiateProtocol(false)
            .build());
  }

  @Override
  public String toString() {
    return "redis://:***@" + host + ":" + port;
  }
}
