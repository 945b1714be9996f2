// SPDX-License-Identifier: Apache-2.0
package cupbear.load.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code ./cupbear dev} under the eyes of a real Prometheus with our rules, of a collector of
 * traces, and of somebody who looks for secrets.
 */
class WatchedIT {
  private static final Duration SOON = Duration.ofMinutes(2);

  @TempDir Path folder;
  private final List<String> traces = new CopyOnWriteArrayList<>();
  private HttpServer collector;
  private DevProcess dev;

  @BeforeEach
  void start() throws IOException {
    collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext(
        "/v1/traces",
        call -> {
          // Protobuf has text as it is: enough to look for words.
          traces.add(new String(call.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1));
          call.sendResponseHeaders(200, -1);
          call.close();
        });
    collector.start();
    dev =
        new DevProcess(
            folder,
            Map.of(
                "OTEL_EXPORTER_OTLP_ENDPOINT",
                "http://127.0.0.1:" + collector.getAddress().getPort(),
                "OTEL_EXPORTER_OTLP_PROTOCOL",
                "http/protobuf",
                "OTEL_BSP_SCHEDULE_DELAY",
                "200"));
  }

  @AfterEach
  void end() {
    dev.close();
    collector.stop(0);
  }

  @Test
  void everyRuleSpeaksAShortageFiresAndResolvesAndNoSecretIsTold() throws IOException {
    Optional<Path> program = LocalPrometheus.program("prometheus");
    assumeTrue(program.isPresent(), "Prometheus is not installed (Debian: prometheus); not run");
    Path its = Files.createDirectory(folder.resolve("prometheus"));
    List<String> targets =
        dev.ofSchedulers("ops").stream().map(url -> url.replace("http://", "")).toList();
    assertThat(targets).hasSize(2);
    try (LocalPrometheus prometheus = new LocalPrometheus(program.get(), its, targets)) {
      await().atMost(SOON).until(prometheus::isReady);
      everyRuleSpeaks(prometheus);
      everyPanelAsksWhatPrometheusUnderstands(prometheus);
      assertThat(prometheus.firing()).as("a pool that has just started is well").isEmpty();
      JsonObject session = shortageFiresAndResolves(prometheus);
      await("the trace is told").atMost(SOON).until(() -> told("assign_to_connect"));
      assertThat(List.of("assign.rank", "assign.claim", "assign.answer", "machine.retag"))
          .allMatch(this::told);
      secretsAreNowhere(session);
      scrapesAreSmall();
    }
  }

  private static void everyRuleSpeaks(LocalPrometheus prometheus) {
    await("rules are well")
        .atMost(SOON)
        .until(() -> {
          List<JsonObject> rules = prometheus.rules();
          return !rules.isEmpty() && rules.stream().allMatch(WatchedIT::isWell);
        });
    for (JsonObject rule : prometheus.rules()) {
      if (!rule.getString("type").equals("recording")) continue;
      String name = rule.getString("name");
      await(name).atMost(SOON).until(() -> !prometheus.query(name).isEmpty());
    }
  }

  private static boolean isWell(JsonObject rule) {
    return rule.getString("health").equals("ok");
  }

  private static void everyPanelAsksWhatPrometheusUnderstands(LocalPrometheus prometheus)
      throws IOException {
    Map<String, String> troubles = new TreeMap<>();
    List<String> silent = new ArrayList<>();
    for (String query : queries()) {
      String asked =
          query.replace("$__rate_interval", "1m").replace("$pool", ".*").replace("$region", ".*");
      String trouble = prometheus.trouble(asked);
      if (!trouble.isEmpty()) troubles.put(query, trouble);
      boolean maySaySo = query.endsWith("> 0");
      if (trouble.isEmpty() && !maySaySo && prometheus.query(asked).isEmpty()) silent.add(query);
    }
    assertThat(troubles).isEmpty();
    assertThat(silent).as("panels without a series").isEmpty();
  }

  private static List<String> queries() throws IOException {
    List<String> queries = new ArrayList<>();
    try (Stream<Path> boards = Files.list(Path.of("../ops/grafana"))) {
      for (Path board : boards.toList()) {
        for (Object panel : new JsonObject(Files.readString(board)).getJsonArray("panels")) {
          for (Object target : ((JsonObject) panel).getJsonArray("targets", new JsonArray())) {
            queries.add(((JsonObject) target).getString("expr"));
          }
        }
      }
    }
    assertThat(queries).hasSizeGreaterThan(20);
    return queries;
  }

  /** One Machine is taken and Fly has no other: the session that took it. */
  private JsonObject shortageFiresAndResolves(LocalPrometheus prometheus) {
    dev.fly("POST", "/sim/faults", "{\"kind\":\"capacity.region\",\"region\":\"nrt\"}");
    HttpResponse<String> answer =
        dev.post("/v1/sessions", "{\"pool\":\"viewers\",\"region\":\"nrt\"}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    JsonObject session = new JsonObject(answer.body());
    connected(session);
    // Renewed meanwhile: a session that ran out would give its Machine back, and end the shortage.
    await("the alert fires")
        .atMost(SOON)
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> renewed(session) && isShort(prometheus, "nrt"));
    assertThat(isShort(prometheus, "iad")).isFalse();
    String missing = "cupbear:capacity_missing:max{region=\"nrt\"} > 0";
    await("Fly's refusals are seen").atMost(SOON).until(() -> !prometheus.query(missing).isEmpty());
    dev.fly("DELETE", "/sim/faults", "");
    await("the alert resolves").atMost(SOON).until(() -> !isShort(prometheus, "nrt"));
    assertThat(prometheus.rules()).allMatch(WatchedIT::isWell);
    return session;
  }

  private static boolean isShort(LocalPrometheus prometheus, String region) {
    String firing = "ALERTS{alertstate=\"firing\",alertname=\"CupbearWarmBelowMin\",region=\"";
    return !prometheus.query(firing + region + "\"}").isEmpty();
  }

  private void connected(JsonObject session) {
    HttpResponse<String> answer = dev.post(path(session, "connected"), epoch(session));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(204);
  }

  private boolean renewed(JsonObject session) {
    HttpResponse<String> answer = dev.put(path(session, "lease"), epoch(session));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return true;
  }

  private static String path(JsonObject session, String what) {
    return "/v1/sessions/%s/%s".formatted(session.getString("id"), what);
  }

  private static String epoch(JsonObject session) {
    return new JsonObject().put("epoch", session.getLong("epoch")).encode();
  }

  private boolean told(String span) {
    return traces.stream().anyMatch(each -> each.contains(span));
  }

  private void secretsAreNowhere(JsonObject session) {
    String password = session.getJsonObject("credentials").getString("password");
    assertThat(password).hasSizeGreaterThan(8);
    Map<String, String> places = new TreeMap<>();
    dev.ofSchedulers("log").forEach(log -> places.put("log " + log, text(Path.of(log))));
    dev.ofSchedulers("ops")
        .forEach(ops -> places.put("metrics " + ops, dev.get(ops + "/metrics").body()));
    places.put("traces", String.join("\n", traces));
    places.put("Machines at Fly", dev.get(dev.word("fly") + "/sim/machines").body());
    places.put("journal and events", dev.events());
    assertThat(places.values()).allMatch(text -> text.length() > 100);
    assertThat(places.get("journal and events")).contains(session.getString("id"));
    for (String secret :
        List.of(password, dev.word("gateway_token"), dev.word("operator_token"), "fm2_fly-sim")) {
      places.forEach((place, text) -> assertThat(text).as(place).doesNotContain(secret));
    }
  }

  /** Of one pool in three regions, after everything above has happened. */
  private void scrapesAreSmall() {
    for (String ops : dev.ofSchedulers("ops")) {
      String scrape = dev.get(ops + "/metrics").body();
      assertThat(scrape.lines().filter(line -> !line.startsWith("#")).count())
          .as("series at %s", ops)
          .isBetween(500L, 999L);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
