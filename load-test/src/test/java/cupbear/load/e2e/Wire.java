// SPDX-License-Identifier: Apache-2.0
package cupbear.load.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.load.stack.SchedulerProcess;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;

/** The schedulers' API without a client in between, for answers that a client would hide. */
final class Wire {
  private static final Duration CALL_WITHIN = Duration.ofSeconds(45);

  private final HttpClient http;
  private final String token;

  Wire(HttpClient http, String token) {
    this.http = http;
    this.token = token;
  }

  HttpResponse<String> ask(SchedulerProcess scheduler, String key, String pool, String wait)
      throws IOException, InterruptedException {
    return http.send(asking(scheduler, key, pool, wait), HttpResponse.BodyHandlers.ofString());
  }

  Future<HttpResponse<String>> asked(
      SchedulerProcess scheduler, String key, String pool, String wait) {
    return Future.fromCompletionStage(
        http.sendAsync(asking(scheduler, key, pool, wait), HttpResponse.BodyHandlers.ofString()));
  }

  private HttpRequest asking(SchedulerProcess scheduler, String key, String pool, String wait) {
    JsonObject body = new JsonObject().put("pool", pool).put("wait", wait);
    return HttpRequest.newBuilder(URI.create(scheduler.api() + "/v1/sessions"))
        .timeout(CALL_WITHIN)
        .header("Authorization", "Bearer " + token)
        .header("Content-Type", "application/json")
        .header("Idempotency-Key", key)
        .POST(BodyPublishers.ofString(body.encode()))
        .build();
  }

  /** What the answer to a session request granted. */
  static JsonObject granted(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return new JsonObject(answer.body());
  }

  HttpResponse<String> renew(SchedulerProcess scheduler, JsonObject grant)
      throws IOException, InterruptedException {
    String lease = "/v1/sessions/%s/lease".formatted(grant.getString("id"));
    JsonObject body = new JsonObject().put("epoch", grant.getLong("epoch"));
    return http.send(
        HttpRequest.newBuilder(URI.create(scheduler.api() + lease))
            .timeout(CALL_WITHIN)
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofString(body.encode()))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  void release(SchedulerProcess scheduler, String session)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(scheduler.api() + "/v1/sessions/" + session))
            .timeout(CALL_WITHIN)
            .header("Authorization", "Bearer " + token)
            .DELETE()
            .build();
    assertThat(http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode())
        .isEqualTo(204);
  }

  /** What {@code /readyz} answers; 0 when nobody does. */
  int readiness(SchedulerProcess scheduler) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(scheduler.ops() + "/readyz"))
            .timeout(Duration.ofSeconds(5))
            .build();
    try {
      return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    } catch (IOException nobody) {
      return 0;
    }
  }

  /** Has it read its settings again, as {@code cupbear reload} does. */
  void reload(SchedulerProcess scheduler, String operator)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(scheduler.api() + "/v1/config/reload"))
            .timeout(CALL_WITHIN)
            .header("Authorization", "Bearer " + operator)
            .POST(BodyPublishers.noBody())
            .build();
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(new JsonObject(answer.body()).getJsonArray("needs_restart")).isEmpty();
  }
}
