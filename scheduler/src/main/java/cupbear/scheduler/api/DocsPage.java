// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * docs/openapi.yaml as one page for people: no script, nothing from elsewhere. Made once, at start.
 */
final class DocsPage {
  private static final List<String> METHODS = List.of("get", "post", "put", "delete");
  private static final String STYLE =
      "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;"
          + "color:#1b1f24;background:#fff}h2{margin-top:3rem;border-bottom:1px solid #d0d7de}"
          + "h3{margin-top:2.2rem}code,pre{font:14px/1.45 ui-monospace,monospace;"
          + "background:#f4f6f8;border-radius:4px}code{padding:.1em .3em}"
          + "pre{padding:.8em;overflow:auto}table{border-collapse:collapse;margin:.6rem 0}"
          + "td,th{border:1px solid #d0d7de;padding:.3em .6em;text-align:left;vertical-align:top}"
          + ".roles{color:#57606a}a{color:#0550ae}"
          + "@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}"
          + "code,pre{background:#161b22}td,th,h2{border-color:#30363d}.roles{color:#8b949e}"
          + "a{color:#79b8ff}}";

  private final Map<?, ?> root;
  private final StringBuilder html = new StringBuilder();

  private DocsPage(String yaml) {
    Object loaded = new Load(LoadSettings.builder().build()).loadFromString(yaml);
    if (!(loaded instanceof Map<?, ?> map))
      throw new IllegalStateException("openapi.yaml is no map");
    this.root = map;
    render();
  }

  static DocsPage of(String yaml) {
    return new DocsPage(yaml);
  }

  Buffer html() {
    return Buffer.buffer(html.toString());
  }

  /** Only this page's own style; no script at all. */
  String policy() {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(STYLE.getBytes(StandardCharsets.UTF_8));
      return "default-src 'none'; style-src 'sha256-%s'; frame-ancestors 'none'"
          .formatted(Base64.getEncoder().encodeToString(digest));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private void render() {
    Map<?, ?> info = map(root, "info");
    html.append("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta")
        .append(" name=\"viewport\" content=\"width=device-width\"><title>")
        .append(escaped(text(info, "title")))
        .append(" API</title><style>")
        .append(STYLE)
        .append("</style></head><body><h1>")
        .append(escaped(text(info, "title")))
        .append(" API</h1>");
    prose(text(info, "summary"));
    prose(text(info, "description"));
    html.append("<p><a href=\"/openapi.yaml\">openapi.yaml</a></p>");
    for (Object tag : list(root, "tags")) {
      Map<?, ?> each = (Map<?, ?>) tag;
      html.append("<h2>").append(escaped(text(each, "name"))).append("</h2>");
      prose(text(each, "description"));
      map(root, "paths").forEach((path, item) -> operations(path, (Map<?, ?>) item, each));
    }
    html.append("<h2>Schemas</h2>");
    map(map(root, "components"), "schemas")
        .forEach((name, schema) -> {
          html.append("<h3 id=\"")
              .append(escaped("" + name))
              .append("\">")
              .append(escaped("" + name));
          html.append("</h3>");
          json(schema);
        });
    html.append("</body></html>");
  }

  private void operations(Object path, Map<?, ?> item, Map<?, ?> tag) {
    for (String method : METHODS) {
      Map<?, ?> operation = map(item, method);
      if (!list(operation, "tags").contains(tag.get("name"))) continue;
      html.append("<h3><code>")
          .append(method.toUpperCase(java.util.Locale.ROOT))
          .append(' ')
          .append(escaped("" + path))
          .append("</code> ")
          .append(escaped(text(operation, "summary")))
          .append("</h3>");
      prose(text(operation, "description"));
      List<?> roles = list(operation, "x-roles");
      html.append("<p class=\"roles\">")
          .append(roles.isEmpty() ? "no token needed" : "roles: " + escaped(joined(roles)))
          .append("</p>");
      parameters(list(item, "parameters"), list(operation, "parameters"));
      examples("Body", content(resolved(map(operation, "requestBody"))));
      map(operation, "responses").forEach((status, answer) -> response(status, answer));
    }
  }

  private void parameters(List<?> shared, List<?> own) {
    if (shared.isEmpty() && own.isEmpty()) return;
    html.append("<table><tr><th>parameter</th><th>in</th><th></th></tr>");
    for (List<?> each : List.of(shared, own)) {
      for (Object reference : each) {
        Map<?, ?> parameter = resolved((Map<?, ?>) reference);
        html.append("<tr><td><code>")
            .append(escaped(text(parameter, "name")))
            .append("</code></td><td>")
            .append(escaped(text(parameter, "in")))
            .append("</td><td>")
            .append(inline(text(parameter, "description")))
            .append("</td></tr>");
      }
    }
    html.append("</table>");
  }

  private void response(Object status, Object answer) {
    Map<?, ?> response = resolved((Map<?, ?>) answer);
    html.append("<p><b>").append(escaped("" + status)).append("</b> ");
    html.append(inline(text(response, "description"))).append("</p>");
    if (("" + status).startsWith("2")) examples("", content(response));
  }

  private static Map<?, ?> content(Map<?, ?> carrier) {
    return map(carrier, "content");
  }

  private void examples(String title, Map<?, ?> content) {
    content.forEach((type, media) -> {
      if (!title.isEmpty()) {
        html.append("<p><b>").append(title).append("</b> ").append(escaped("" + type));
        html.append("</p>");
      }
      map((Map<?, ?>) media, "examples")
          .values()
          .forEach(example -> {
            Object value = resolved((Map<?, ?>) example).get("value");
            if (value instanceof String plain) preformatted(plain);
            else if (value != null) json(value);
          });
    });
  }

  private void json(Object value) {
    preformatted(Json.encodePrettily(value));
  }

  private void preformatted(String text) {
    html.append("<pre>").append(escaped(text)).append("</pre>");
  }

  /** Paragraphs and lists; code and strong words within. */
  private void prose(String text) {
    for (String block : text.strip().split("\n\\s*\n")) {
      if (block.isBlank()) continue;
      if (block.startsWith("- ")) {
        html.append("<ul>");
        for (String item : block.substring(2).split("\n- ")) {
          html.append("<li>").append(inline(item)).append("</li>");
        }
        html.append("</ul>");
      } else {
        html.append("<p>").append(inline(block)).append("</p>");
      }
    }
  }

  private static String inline(String text) {
    return escaped(text)
        .replaceAll("`([^`]+)`", "<code>$1</code>")
        .replaceAll("\\*\\*([^*]+)\\*\\*", "<b>$1</b>");
  }

  private Map<?, ?> resolved(Map<?, ?> node) {
    if (!(node.get("$ref") instanceof String reference)) return node;
    Map<?, ?> at = root;
    for (String step : reference.substring(2).split("/")) at = map(at, step);
    return at;
  }

  private static Map<?, ?> map(Map<?, ?> node, String name) {
    return node.get(name) instanceof Map<?, ?> map ? map : Map.of();
  }

  private static List<?> list(Map<?, ?> node, String name) {
    return node.get(name) instanceof List<?> list ? list : List.of();
  }

  private static String text(Map<?, ?> node, String name) {
    return node.get(name) instanceof String text ? text : "";
  }

  private static String joined(List<?> words) {
    return String.join(", ", words.stream().map(String::valueOf).toList());
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
