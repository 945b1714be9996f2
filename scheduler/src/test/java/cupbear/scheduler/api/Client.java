// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A caller that is not ours: the JDK's own, over real sockets. */
record Client(int port, @Nullable String token) {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** One answer. */
  record Reply(int status, Map<String, String> headers, String text) {
    JsonObject json() {
      return text.isEmpty() ? new JsonObject() : new JsonObject(text);
    }

    String header(String name) {
      return headers.getOrDefault(name, "");
    }

    /** The last part of a problem's type; the content type when it is none. */
    String problem() {
      if (!header("content-type").equals("application/problem+json")) {
        return status + " " + header("content-type");
      }
      return json().getString("type").substring("/problems/".length());
    }

    /** {@code field: why}, for each wrong field. */
    String errors() {
      StringBuilder all = new StringBuilder();
      if (!json().containsKey("errors")) return "";
      for (Object each : json().getJsonArray("errors")) {
        JsonObject error = (JsonObject) each;
        all.append(error.getString("field")).append(": ").append(error.getString("why"));
        all.append('\n');
      }
      return all.toString().strip();
    }
  }

  Reply get(String path, String... headers) {
    return send("GET", path, null, headers);
  }

  Reply post(String path, String body, String... headers) {
    return send("POST", path, body, headers);
  }

  /** A request for a session under a fresh key. */
  Reply create(String body) {
    return post("/v1/sessions", body, "Idempotency-Key", key());
  }

  static String key() {
    return UUID.randomUUID().toString();
  }

  Reply send(String method, String path, @Nullable String body, String... headers) {
    return sendLater(method, path, body, headers).join();
  }

  CompletableFuture<Reply> sendLater(
      String method, String path, @Nullable String body, String... headers) {
    HttpRequest request = request(method, path, body, headers);
    return HTTP.sendAsync(request, HttpResponse.BodyHandlers.ofString())
        .thenApply(response -> Contract.kept(method, path, reply(response)));
  }

  private HttpRequest request(
      String method, String path, @Nullable String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(20));
    if (token != null) request.header("Authorization", "Bearer " + token);
    if (body == null) {
      request.method(method, HttpRequest.BodyPublishers.noBody());
    } else {
      request.header("Content-Type", "application/json");
      request.method(method, HttpRequest.BodyPublishers.ofString(body));
    }
    for (int i = 0; i < headers.length; i += 2) request.setHeader(headers[i], headers[i + 1]);
    return request.build();
  }

  /** The lines of a stream as they come; end it by closing the stream. */
  HttpResponse<java.io.InputStream> stream(String path, String... headers) {
    try {
      return HTTP.send(
          request("GET", path, null, headers), HttpResponse.BodyHandlers.ofInputStream());
    } catch (IOException | InterruptedException broken) {
      throw new AssertionError(broken);
    }
  }

  private static Reply reply(HttpResponse<String> response) {
    Map<String, String> headers = new LinkedHashMap<>();
    response.headers().map().forEach((name, values) -> headers.put(name, values.getFirst()));
    return new Reply(response.statusCode(), headers, response.body());
  }
}
