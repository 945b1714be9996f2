// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import static cupbear.scheduler.config.Amounts.POSITIVE;
import static cupbear.scheduler.config.Amounts.size;
import static cupbear.scheduler.config.Kind.count;
import static java.time.Duration.ofSeconds;

import cupbear.scheduler.config.Key.Table;
import cupbear.scheduler.security.ListenAddress;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** The keys of a scheduler process. They are read once: changing one takes a restart. */
final class ServerKeys {
  private static final Table TABLE = new Table("", false);

  /** Fly's rule for the names of apps and organisations. */
  private static final Pattern SLUG_SHAPE = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

  private static final Kind<String> SLUG =
      Kind.text(
          "name",
          "a name of small letters, digits and '-', up to 63",
          SLUG_SHAPE.asMatchPredicate());

  private static final Kind<String> HTTP_URL =
      Kind.text(
          "URL",
          "an address such as http://_api.internal:4280, without user, path or query",
          text ->
              text.matches("https?://[A-Za-z0-9_.-]+(:[0-9]{1,5})?/?")
                  || text.matches("https?://\\[[0-9a-fA-F:]+\\](:[0-9]{1,5})?/?"));

  private static final String HOST = "(?:[A-Za-z0-9_.-]+|\\[[0-9a-fA-F:.]+\\])(?::[0-9]{1,5})?";

  private static final Kind<String> REDIS_URL =
      Kind.text(
          "URL",
          "redis://HOST:PORT, redis-sentinel://HOST:PORT,…/NAME or redis-cluster://HOST:PORT,… "
              + "(rediss… for TLS); the password goes into CUPBEAR_REDIS_PASSWORD",
          text ->
              text.matches("rediss?://" + HOST + "(/[0-9]{1,2})?")
                  || text.matches(
                      "rediss?-sentinel://%s(,%s)*/[A-Za-z0-9_.-]+".formatted(HOST, HOST))
                  || text.matches("rediss?-cluster://%s(,%s)*".formatted(HOST, HOST)));

  private static final Kind<ListenAddress> ADDRESS =
      Kind.named(
          "address", "host:port or [v6]:port, such as fly-local-6pn:8080", ListenAddress::of);

  static final Key<Settings.Environment> ENVIRONMENT =
      TABLE.required(
          "environment",
          Kind.word(Settings.Environment.class),
          "which environment this is; Machines carry it as managed_by=cupbear/<environment>");

  static final Key<String> FLY_APP =
      TABLE.required("fly.app", SLUG, "the Fly app whose Machines are the viewers");
  static final Key<String> FLY_ORG = TABLE.required("fly.org", SLUG, "the Fly organisation");
  static final Key<String> FLY_NETWORK =
      TABLE.optional(
          "fly.network",
          SLUG,
          "not checked",
          "the custom 6PN network the app must be on, such as cupbear-prod");
  static final Key<String> FLY_API =
      TABLE.key("fly.api", HTTP_URL, "http://_api.internal:4280", "where the Machines API answers");
  static final Key<List<String>> FLY_GATEWAYS =
      TABLE.optional(
          "fly.gateways",
          Kind.TEXTS.where(
              apps -> apps.stream().allMatch(SLUG_SHAPE.asMatchPredicate()),
              "a list of Fly apps such as [cupbear-gateway]"),
          "none",
          "apps of the gateways; a client_address of theirs tells the region to look in first");
  static final Key<Double> FLY_PACE =
      TABLE.key(
          "fly.pace",
          Kind.number(value -> value >= 0.1 && value <= 100, "a number from 0.1 to 100"),
          1.0,
          "times Fly's published request rates; above 1 only where yours were raised");

  static final Key<String> REDIS_URL_KEY =
      TABLE.required("redis.url", REDIS_URL, "the Redis that all replicas share");
  static final Key<String> REDIS_USERNAME =
      TABLE.optional("redis.username", Kind.TEXT, "none", "the ACL user, when Redis has users");

  static final Key<ListenAddress> LISTEN_API =
      TABLE.key(
          "listen.api",
          ADDRESS,
          ListenAddress.of("fly-local-6pn:8080"),
          "where gateways and operators reach the API; a 6PN address, or loopback in demo");
  static final Key<ListenAddress> LISTEN_OPS =
      TABLE.key(
          "listen.ops",
          ADDRESS,
          ListenAddress.of("fly-local-6pn:9090"),
          "where /metrics, /livez and /readyz answer; a 6PN address, or loopback in demo");

  static final Key<Settings.Durability> DURABILITY =
      TABLE.key(
          "durability",
          Kind.word(Settings.Durability.class),
          Settings.Durability.NORMAL,
          "strict waits for one Redis replica's acknowledgement before a session is answered");

  static final Key<String> TOKEN_FILE =
      TABLE.key(
          "security.token_file",
          Kind.text("path", "a path", text -> !text.isBlank() && text.indexOf('\0') < 0),
          "tokens.json",
          "hashed API tokens (cupbear token create); relative to this file; watched for changes");

  static final Key<Integer> BODY_MAX =
      TABLE.key("limits.body", size(1024, 1 << 20), 16 * 1024, "largest request body");
  static final Key<Integer> DEPTH_MAX =
      TABLE.key("limits.depth", count(2, 100), 16, "deepest nesting of a request body");
  static final Key<Integer> HEADERS_MAX =
      TABLE.key("limits.headers", size(1024, 64 * 1024), 8 * 1024, "largest request headers");
  static final Key<Duration> HEADER_TIMEOUT =
      TABLE.key(
          "limits.header_timeout", POSITIVE, ofSeconds(5), "a request's headers are in by then");
  static final Key<Duration> IDLE_TIMEOUT =
      TABLE.key(
          "limits.idle_timeout", POSITIVE, ofSeconds(60), "a silent connection is closed then");
  static final Key<Integer> RATE =
      TABLE.key("limits.rate", count(1, 100_000), 100, "requests per second of one token");
  static final Key<Integer> BURST =
      TABLE.key("limits.burst", count(1, 100_000), 200, "requests of one token at once");

  static final Key<Duration> FINISH_WITHIN =
      TABLE.key(
          "shutdown.finish_within",
          POSITIVE,
          ofSeconds(25),
          "requests in flight at SIGTERM have this long; keep below Fly's kill_timeout");

  private ServerKeys() {}

  static List<Key<?>> all() {
    return TABLE.all();
  }
}
