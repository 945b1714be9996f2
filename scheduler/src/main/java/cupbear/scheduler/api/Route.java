// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.security.Permission;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * One operation of the API.
 *
 * @param template the path as docs/openapi.yaml writes it
 * @param answers the media type of its success
 */
record Route(
    HttpMethod method,
    String template,
    Permission permission,
    Body body,
    String answers,
    Handler handler) {
  /** Whether a body is read. */
  enum Body {
    NONE,
    OPTIONAL,
    REQUIRED
  }

  /** Serves what came through the door. */
  interface Handler {
    void handle(Call call);
  }

  /**
   * A request that came through the door.
   *
   * @param ownOnly it may touch only what belongs to its caller
   */
  record Call(
      Exchange exchange, Map<String, String> path, MultiMap query, Buffer taken, boolean ownOnly) {
    byte[] body() {
      return taken.getBytes();
    }

    String path(String name) {
      return path.getOrDefault(name, "");
    }
  }

  static Route get(String template, Permission permission, Handler handler) {
    return new Route(HttpMethod.GET, template, permission, Body.NONE, "application/json", handler);
  }

  static Route page(String template, String answers, Handler handler) {
    return new Route(HttpMethod.GET, template, Permission.DOCS, Body.NONE, answers, handler);
  }

  static Route with(
      HttpMethod method, String template, Permission permission, Body body, Handler handler) {
    return new Route(method, template, permission, body, "application/json", handler);
  }

  /** For meters and logs. */
  String name() {
    return method.name() + " " + template;
  }

  /** The same path in Vert.x Web's words. */
  String webPath() {
    return template.replaceAll("\\{([a-z]+)\\}", ":$1");
  }

  Pattern pattern() {
    return Pattern.compile(template.replace(".", "\\.").replaceAll("\\{[a-z]+\\}", "[^/]+"));
  }
}
