// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.SslOptions;

/**
 * Where Redis is, as its URL says: {@code redis://}, {@code redis-sentinel://} or {@code
 * redis-cluster://}, each with TLS as {@code rediss…://}. Never prints the password.
 *
 * @param seeds the server itself, the sentinels, or some nodes of the cluster
 * @param primaryName the name the sentinels know the primary by; empty for the other kinds
 */
public record RedisPlace(Kind kind, List<HostAndPort> seeds, String primaryName, Login login) {
  private static final int DEFAULT_PORT = 6379;
  private static final int DEFAULT_SENTINEL_PORT = 26379;
  private static final String SHAPES =
      "redis://[user:password@]host[:port][/database],"
          + " redis-sentinel://[user:password@]host[:port],…/primary-name"
          + " or redis-cluster://[user:password@]host[:port],…; rediss… for TLS";

  /** How Redis is run. */
  public enum Kind {
    STANDALONE,
    SENTINEL,
    CLUSTER
  }

  /** How to get in; the same on all servers. */
  public record Login(@Nullable String user, @Nullable String password, boolean tls, int database) {
    @Override
    public String toString() {
      return "Login[***]";
    }
  }

  public RedisPlace {
    seeds = List.copyOf(seeds);
  }

  /**
   * Reads a URL.
   *
   * @throws IllegalArgumentException saying what is wrong, without the URL, which holds a password
   */
  public static RedisPlace of(String url) {
    int end = url.indexOf("://");
    if (end < 0) throw wrong("it has no scheme");
    String scheme = url.substring(0, end).toLowerCase(Locale.ROOT);
    boolean tls = scheme.startsWith("rediss");
    Kind kind =
        switch (tls ? "redis" + scheme.substring("rediss".length()) : scheme) {
          case "redis" -> Kind.STANDALONE;
          case "redis-sentinel" -> Kind.SENTINEL;
          case "redis-cluster" -> Kind.CLUSTER;
          default -> throw wrong("its scheme is " + scheme);
        };
    String rest = url.substring(end + 3);
    int slash = rest.indexOf('/');
    String authority = slash < 0 ? rest : rest.substring(0, slash);
    String path = slash < 0 ? "" : rest.substring(slash + 1);
    return of(kind, authority, path, tls);
  }

  private static RedisPlace of(Kind kind, String authority, String path, boolean tls) {
    int at = authority.lastIndexOf('@');
    String access = at < 0 ? "" : authority.substring(0, at);
    int port = kind == Kind.SENTINEL ? DEFAULT_SENTINEL_PORT : DEFAULT_PORT;
    List<HostAndPort> seeds =
        Stream.of(authority.substring(at + 1).split(",", -1))
            .map(each -> host(each, port))
            .toList();
    if (kind == Kind.STANDALONE && seeds.size() > 1) throw wrong("it names several servers");
    if (kind == Kind.SENTINEL && path.isEmpty()) throw wrong("it does not name the primary");
    if (kind == Kind.CLUSTER && !path.isEmpty()) throw wrong("a cluster has no databases");
    int database = kind == Kind.STANDALONE && !path.isEmpty() ? database(path) : 0;
    return new RedisPlace(
        kind, seeds, kind == Kind.SENTINEL ? path : "", login(access, tls, database));
  }

  private static Login login(String access, boolean tls, int database) {
    if (access.isEmpty()) return new Login(null, null, tls, database);
    int colon = access.indexOf(':');
    String user = colon < 0 ? "" : access.substring(0, colon);
    String password = access.substring(colon + 1);
    return new Login(user.isEmpty() ? null : decoded(user), decoded(password), tls, database);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private static HostAndPort host(String text, int port) {
    try {
      URI parsed = new URI("redis://" + text);
      if (parsed.getHost() == null) throw wrong("'" + text + "' is no host:port");
      String host = parsed.getHost().replaceAll("[\\[\\]]", "");
      return new HostAndPort(host, parsed.getPort() < 0 ? port : parsed.getPort());
    } catch (URISyntaxException e) {
      throw wrong("'" + text + "' is no host:port");
    }
  }

  private static int database(String text) {
    if (!text.matches("\\d{1,3}")) throw wrong("its database '" + text + "' is no small number");
    return Integer.parseInt(text);
  }

  private static IllegalArgumentException wrong(String why) {
    return new IllegalArgumentException(
        "The Redis URL cannot be used: " + why + ". Write " + SHAPES);
  }

  /** How lanes talk to a server of this place. */
  DefaultJedisClientConfig.Builder client(int timeoutMillis) {
    DefaultJedisClientConfig.Builder client =
        DefaultJedisClientConfig.builder()
            .connectionTimeoutMillis(timeoutMillis)
            .socketTimeoutMillis(timeoutMillis)
            .clientName("cupbear")
            .autoNegotiateProtocol(false)
            .resp2();
    if (login.tls()) client.sslOptions(SslOptions.defaults());
    if (login.user() != null) client.user(login.user());
    if (login.password() != null) client.password(login.password());
    return client;
  }

  @Override
  public String toString() {
    return kind.name().toLowerCase(Locale.ROOT) + " at " + seeds;
  }
}
