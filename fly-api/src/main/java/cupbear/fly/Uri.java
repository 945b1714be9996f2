// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** A path and query for Fly, every part escaped: an id can never become another path. */
final class Uri {

  private final StringBuilder path = new StringBuilder("/v1");
  private final StringBuilder query = new StringBuilder();

  static Uri of(String... parts) {
    return new Uri().and(parts);
  }

  Uri and(String... parts) {
    for (String part : parts) {
      if (part.isBlank() || part.equals(".") || part.equals("..")) {
        throw new IllegalArgumentException("\"" + part + "\" cannot be part of a path");
      }
      path.append('/').append(escaped(part));
    }
    return this;
  }

  /** Left out when the value is empty. */
  Uri with(String name, String value) {
    return value.isEmpty() ? this : exactly(name, value);
  }

  Uri exactly(String name, String value) {
    query.append(query.isEmpty() ? '?' : '&').append(escaped(name)).append('=');
    query.append(escaped(value));
    return this;
  }

  Uri with(String name, boolean flag) {
    return with(name, flag ? "true" : "");
  }

  private static String escaped(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  @Override
  public String toString() {
    return path.toString() + query;
  }
}
