// SPDX-License-Identifier: Apache-2.0
package cupbear.load.e2e;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A real Prometheus with our rules. It looks and reckons every second, so that a test need not wait
 * for a slow group; how long an alert waits before it fires is as shipped.
 */
final class LocalPrometheus implements AutoCloseable {
  private static final Path RULES = Path.of("../ops/prometheus");

  private final HttpClient http = HttpClient.newHttpClient();
  private final Process process;
  private final int port;

  /**
   * @param targets addresses to scrape, as {@code host:port}
   */
  LocalPrometheus(Path program, Path folder, List<String> targets) throws IOException {
    for (String file : List.of("recording.yaml", "alerts.yaml")) {
      String hurried =
          Files.readString(RULES.resolve(file)).replaceAll("interval: \\d+s", "interval: 1s");
      Files.writeString(folder.resolve(file), hurried);
    }
    String listed = targets.stream().map("\"%s\""::formatted).collect(Collectors.joining(", "));
    Files.writeString(
        folder.resolve("prometheus.yml"),
        """
        global: {scrape_interval: 1s, evaluation_interval: 1s}
        rule_files: [recording.yaml, alerts.yaml]
        scrape_configs:
          - job_name: cupbear
            static_configs: [{targets: [%s], labels: {environment: test}}]
        """
            .formatted(listed));
    this.port = freePort();
    this.process =
        new ProcessBuilder(
                program.toString(),
                "--config.file=" + folder.resolve("prometheus.yml"),
                "--storage.tsdb.path=" + folder.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port,
                "--log.level=warn")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("prometheus.log").toFile())
            .start();
  }

  /** Empty when it is not installed. */
  static Optional<Path> program(String name) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Prometheus 2 does not tell which port it took: one that was free a moment ago. */
  private static int freePort() throws IOException {
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return any.getLocalPort();
    }
  }

  boolean isReady() {
    return get("/-/ready").map(answer -> answer.statusCode() == 200).findFirst().orElse(false);
  }

  /** All rules, with what became of their newest evaluation. */
  List<JsonObject> rules() {
    return get("/api/v1/rules")
        .flatMap(answer -> list(data(answer).getJsonArray("groups")))
        .flatMap(group -> list(group.getJsonArray("rules")))
        .toList();
  }

  /** The series that an expression gives now. */
  List<JsonObject> query(String expression) {
    String escaped = URLEncoder.encode(expression, StandardCharsets.UTF_8);
    return get("/api/v1/query?query=" + escaped)
        .flatMap(answer -> list(data(answer).getJsonArray("result")))
        .toList();
  }

  /** The names of the alerts that fire, each as often as it does. */
  List<String> firing() {
    return query("ALERTS{alertstate=\"firing\"}").stream()
        .map(series -> series.getJsonObject("metric").getString("alertname"))
        .toList();
  }

  /** What it does not understand in an expression; empty when it is well. */
  String trouble(String expression) {
    String escaped = URLEncoder.encode(expression, StandardCharsets.UTF_8);
    return get("/api/v1/query?query=" + escaped)
        .map(answer -> new JsonObject(answer.body()).getString("error", ""))
        .findFirst()
        .orElse("no answer");
  }

  private static JsonObject data(HttpResponse<String> answer) {
    return new JsonObject(answer.body()).getJsonObject("data", new JsonObject());
  }

  private static Stream<JsonObject> list(JsonArray array) {
    return array == null ? Stream.of() : array.stream().map(JsonObject.class::cast);
  }

  /** Empty while it does not answer. */
  private Stream<HttpResponse<String>> get(String path) {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(5)).build();
    try {
      return Stream.of(http.send(request, HttpResponse.BodyHandlers.ofString()));
    } catch (IOException notYet) {
      return Stream.of();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  @Override
  public void close() {
    http.close();
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
