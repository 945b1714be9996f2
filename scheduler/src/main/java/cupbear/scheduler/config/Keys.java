// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The whole table of keys, and what is known but no key. */
final class Keys {
  /** Every key that may be written, in the order of the reference page. */
  static final List<Key<?>> ALL =
      Stream.of(
              ServerKeys.all().stream(),
              ThresholdKeys.all().stream(),
              PoolKeys.all().stream(),
              ThresholdKeys.all().stream().<Key<?>>map(Key::ofOnePool))
          .flatMap(keys -> keys)
          .toList();

  /** Keys that people look for, whose values must not lie in a file: where they go instead. */
  static final Map<String, String> SECRETS =
      Map.of(
          "fly.token", "CUPBEAR_FLY_TOKEN",
          "token", "CUPBEAR_FLY_TOKEN",
          "redis.password", "CUPBEAR_REDIS_PASSWORD",
          "secret_key", "CUPBEAR_SECRET_KEY",
          "security.secret_key", "CUPBEAR_SECRET_KEY",
          "security.key", "CUPBEAR_SECRET_KEY");

  private Keys() {}

  /** A key that sounds like a secret. */
  static boolean soundsSecret(String segment) {
    return segment.matches("(?i)(.*[_-])?(token|tokens|password|passwd|secret|secret_key|api_key)");
  }
}
