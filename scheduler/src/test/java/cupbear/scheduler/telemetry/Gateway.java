// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.UUID;

/** A gateway with a traced request, as small as one can be. */
final class Gateway implements AutoCloseable {
  static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  static final String SPAN = "00f067aa0ba902b7";

  private final HttpClient http = HttpClient.newHttpClient();
  private final Replica replica;

  Gateway(Replica replica) {
    this.replica = replica;
  }

  HttpResponse<String> create(String body) {
    return post("/v1/sessions", body);
  }

  HttpResponse<String> connected(JsonObject session) {
    return post(
        "/v1/sessions/" + session.getString("id") + "/connected",
        "{\"epoch\":%d}".formatted(session.getLong("epoch")));
  }

  private HttpResponse<String> post(String path, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + replica.server.port() + path))
            .timeout(Duration.ofSeconds(40))
            .header("Authorization", "Bearer " + replica.token.reveal())
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", UUID.randomUUID().toString())
            .header("traceparent", "00-" + TRACE + "-" + SPAN + "-01")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (Exception failure) {
      throw new AssertionError("no answer", failure);
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
