// SPDX-License-Identifier: Apache-2.0
package cupbear.load.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Everything on this computer: begun, used with what it says, and gone when it ends. */
class DevIT {
  private static final Duration SOON = Duration.ofMinutes(2);

  @TempDir private Path folder;
  private final DevCommand dev = new DevCommand();
  private final StringWriter out = new StringWriter();

  private CompletableFuture<Integer> run(String... more) {
    List<String> words = new ArrayList<>(List.of("--port", "0", "--ops-port", "0"));
    words.addAll(List.of(more));
    CommandLine line =
        new CommandLine(dev)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(out));
    return CompletableFuture.supplyAsync(
        () -> line.execute(words.toArray(String[]::new)), work -> new Thread(work, "dev").start());
  }

  private static List<Long> children() {
    try (Stream<ProcessHandle> all = ProcessHandle.current().descendants()) {
      return all.filter(ProcessHandle::isAlive).map(ProcessHandle::pid).toList();
    }
  }

  @Test
  void saysWhatToOpenServesAndLeavesNothingBehind() throws Exception {
    Path ready = folder.resolve("ready.json");
    CompletableFuture<Integer> run = run("--traffic", "on", "--ready-file", ready.toString());
    await().atMost(SOON).until(() -> Files.exists(ready) || run.isDone());
    assertThat(run).as(out.toString()).isNotDone();

    JsonObject words = new JsonObject(Files.readString(ready));
    assertThat(words.fieldNames())
        .containsExactlyInAnyOrder(
            "api", "ops", "fly", "redis", "gateway_token", "operator_token", "pids", "schedulers");
    assertThat(words.getJsonArray("pids")).hasSize(2);
    assertThat(out.toString())
        .contains("The pool is warm after", "curl -s -X POST", words.getString("api"));
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> pools =
          http.send(
              to(words.getString("api") + "/v1/pools", words.getString("operator_token")).build(),
              BodyHandlers.ofString());
      assertThat(pools.statusCode()).as(pools.body()).isEqualTo(200);
      HttpResponse<String> session =
          http.send(
              to(words.getString("api") + "/v1/sessions", words.getString("gateway_token"))
                  .header("Content-Type", "application/json")
                  .header("Idempotency-Key", "the-test-asks-01")
                  .POST(BodyPublishers.ofString("{\"pool\":\"viewers\",\"region\":\"iad\"}"))
                  .build(),
              BodyHandlers.ofString());
      assertThat(session.statusCode()).as(session.body()).isEqualTo(201);
      for (String page :
          List.of(words.getString("ops") + "/metrics", words.getString("fly") + "/sim")) {
        assertThat(http.send(to(page, "").build(), BodyHandlers.discarding()).statusCode())
            .as(page)
            .isEqualTo(200);
      }
    }
    dev.end();
    assertThat(run.join()).as(out.toString()).isZero();
    nothingIsLeft();
  }

  private static HttpRequest.Builder to(String url, String token) {
    return HttpRequest.newBuilder(URI.create(url))
        .timeout(SOON)
        .header("Authorization", "Bearer " + token);
  }

  @Test
  void endsInTheMidstOfItsStartAndLeavesNothingBehind() {
    CompletableFuture<Integer> run = run("--traffic", "off");
    await().atMost(SOON).until(() -> !children().isEmpty());
    dev.end();
    run.join();
    assertThat(out.toString()).doesNotContain("did not get warm");
    nothingIsLeft();
  }

  private static void nothingIsLeft() {
    await().atMost(SOON).until(() -> children().isEmpty());
  }
}
