// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import cupbear.flysim.FlySim;
import cupbear.flysim.FlySimConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A simulator on a port of its own, and a client that knows nothing of Vert.x. */
final class Running implements AutoCloseable {
  /** A status and the JSON that came with it; missing when there was none. */
  record Answer(int status, JsonNode body, HttpResponse<String> raw) {}

  // Bounds for a hanging test, not expectations.
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  final FlySim sim;
  private final Vertx vertx = Vertx.vertx();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  Running(FlySimConfig config) throws Exception {
    sim = await(FlySim.start(vertx, config));
    await(
        sim.faults()
            .switches(
                new JsonObject()
                    .put("rate_limits", false)
                    .put("stuck_created_rate", 0)
                    .put("cold_resume_rate", 0)
                    .put("cold_image_first", false)));
    await(sim.faults().latencies(new JsonObject("{\"get_lag\":{\"p50_ms\":0,\"p95_ms\":0}}")));
  }

  static <T> T await(Future<T> future) throws Exception {
    return future
        .toCompletionStage()
        .toCompletableFuture()
        .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  Answer call(String method, String path, String body) throws IOException, InterruptedException {
    return call(method, path, body, "");
  }

  Answer call(String method, String path, String body, String nonce)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(sim.url() + path))
            .timeout(PATIENCE)
            .header("Authorization", "Bearer " + FlySimConfig.TOKEN)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!nonce.isEmpty()) {
      request.header("fly-machine-lease-nonce", nonce);
    }
    HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
    boolean json =
        response.headers().firstValue("content-type").orElse("").startsWith("application/json");
    JsonNode tree = json ? MAPPER.readTree(response.body()) : MissingNode.getInstance();
    return new Answer(response.statusCode(), tree, response);
  }

  /** On the first app. */
  Answer app(String method, String path, String body) throws IOException, InterruptedException {
    return call(method, "/v1/apps/" + FlySimConfig.APP + path, body);
  }

  Answer machine(String method, String id, String path, String body)
      throws IOException, InterruptedException {
    return app(method, "/machines/" + id + path, body);
  }

  /** A started Machine; returns its id. */
  String started(String body) throws Exception {
    String id = app("POST", "/machines", body).body().get("id").asText();
    waitFor(id, "started");
    return id;
  }

  void waitFor(String id, String state) throws Exception {
    Answer answer = machine("GET", id, "/wait?state=" + state, "");
    if (answer.status() != 200) {
      throw new AssertionError(answer.raw().body());
    }
  }

  @Override
  public void close() {
    try {
      await(sim.close());
      client.close();
      await(vertx.close());
    } catch (Exception e) {
      throw new AssertionError("the simulator did not close", e);
    }
  }
}
