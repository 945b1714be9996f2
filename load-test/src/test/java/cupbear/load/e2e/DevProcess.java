// SPDX-License-Identifier: Apache-2.0
package cupbear.load.e2e;

import static org.awaitility.Awaitility.await;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** {@code ./cupbear dev} as a person runs it, without the demo viewers, and a caller of its API. */
final class DevProcess implements AutoCloseable {
  private static final Duration WARM_WITHIN = Duration.ofMinutes(3);
  private static final long ENDED_WITHIN_S = 70;

  private final HttpClient http = HttpClient.newHttpClient();
  private final Process process;
  private final Path output;
  private final JsonObject words;

  /** Returns when its pool is warm. */
  DevProcess(Path folder, Map<String, String> environment) throws IOException {
    output = folder.resolve("dev.log");
    Path readyFile = folder.resolve("dev.json");
    ProcessBuilder builder =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "cupbear.load.Main",
                "dev",
                "--port",
                "0",
                "--ops-port",
                "0",
                "--speed",
                "20",
                "--traffic",
                "off",
                "--ready-file",
                readyFile.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    process = builder.start();
    await("dev is warm")
        .atMost(WARM_WITHIN)
        .until(() -> Files.exists(readyFile) || !process.isAlive());
    if (!process.isAlive()) throw new IOException("dev ended: " + Files.readString(output));
    words = new JsonObject(Files.readString(readyFile));
  }

  /** A word of its ready file. */
  String word(String key) {
    return words.getString(key);
  }

  /** One word of each scheduler. */
  List<String> ofSchedulers(String key) {
    return words.getJsonArray("schedulers").stream()
        .map(each -> ((JsonObject) each).getString(key))
        .toList();
  }

  /** What it printed. */
  String output() throws IOException {
    return Files.readString(output);
  }

  HttpResponse<String> get(String url) {
    return send(HttpRequest.newBuilder(URI.create(url)).GET());
  }

  /** To the simulator, as anybody may. */
  void fly(String method, String path, String body) {
    HttpRequest.BodyPublisher sent = HttpRequest.BodyPublishers.ofString(body);
    URI uri = URI.create(word("fly") + path);
    HttpResponse<String> answer = send(HttpRequest.newBuilder(uri).method(method, sent));
    if (answer.statusCode() >= 300) throw new AssertionError(path + ": " + answer.body());
  }

  /** As a gateway. */
  HttpResponse<String> post(String path, String body) {
    return call("POST", path, body);
  }

  /** As a gateway. */
  HttpResponse<String> put(String path, String body) {
    return call("PUT", path, body);
  }

  private HttpResponse<String> call(String method, String path, String body) {
    return send(
        HttpRequest.newBuilder(URI.create(word("api") + path))
            .header("Authorization", "Bearer " + word("gateway_token"))
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", UUID.randomUUID().toString())
            .method(method, HttpRequest.BodyPublishers.ofString(body)));
  }

  /** Everything in the journal so far, as the stream of events tells it. */
  String events() {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(word("api") + "/v1/events"))
            .header("Authorization", "Bearer " + word("operator_token"))
            .header("Accept", "text/event-stream")
            .header("Last-Event-ID", "1-0")
            .build();
    StringBuilder told = new StringBuilder();
    try (Stream<String> lines = http.send(request, HttpResponse.BodyHandlers.ofLines()).body()) {
      lines
          .takeWhile(line -> !line.equals(": now"))
          .forEach(line -> told.append(line).append('\n'));
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("no events", e);
    }
    return told.toString();
  }

  private HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return http.send(
          request.timeout(Duration.ofSeconds(40)).build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("no answer", e);
    }
  }

  /** As Ctrl-C would. */
  @Override
  public void close() {
    http.shutdownNow();
    List<ProcessHandle> all = process.descendants().toList();
    process.destroy();
    try {
      if (!process.waitFor(ENDED_WITHIN_S, TimeUnit.SECONDS)) process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    all.forEach(ProcessHandle::destroyForcibly);
  }
}
