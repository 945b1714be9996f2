// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a server sends: the client ends in time, says why, and holds on to nothing. */
class HostileServerIT extends ClientFixture {
  // Shorter than the first pause with these dice: one attempt, then the verdict.
  private static final Duration ONE_ATTEMPT = Duration.ofMillis(50);

  private static Consumer<HttpServerResponse> json(int status, String body) {
    return response ->
        response
            .setStatusCode(status)
            .putHeader("content-type", "application/json")
            .end(Buffer.buffer(body));
  }

  private static String without(String field) {
    JsonObject session = ScriptedScheduler.session(1);
    session.remove(field);
    return session.encode();
  }

  static Stream<Arguments> nonsense() {
    return Stream.of(
        Arguments.of("no JSON", json(201, "<html>")),
        Arguments.of("an array", json(201, "[1,2]")),
        Arguments.of("half of it", json(201, "{\"id\":\"ses_1\",")),
        Arguments.of("nothing", json(201, "")),
        Arguments.of("null", json(201, "null")),
        Arguments.of("very deep", json(201, "{\"a\":" + "[".repeat(20_000))),
        Arguments.of("without a machine", json(201, without("machine"))),
        Arguments.of("without an epoch", json(201, without("epoch"))),
        Arguments.of("an endless number", json(201, "{\"epoch\":1" + "0".repeat(5000) + "}")),
        Arguments.of(
            "another type",
            (Consumer<HttpServerResponse>)
                response ->
                    response
                        .setStatusCode(201)
                        .putHeader("content-type", "text/html\u0009x")
                        .end(ScriptedScheduler.session(1).toBuffer())),
        Arguments.of("a body without end", (Consumer<HttpServerResponse>) HostileServerIT::flood),
        Arguments.of("too long", json(201, " ".repeat(Http.LARGEST_ANSWER) + "{}")));
  }

  private static void flood(HttpServerResponse response) {
    response.setStatusCode(201).setChunked(true).putHeader("content-type", "application/json");
    Buffer chunk = Buffer.buffer(" ".repeat(16_384));
    pour(response, chunk);
  }

  private static void pour(HttpServerResponse response, Buffer chunk) {
    response.write(chunk).onSuccess(written -> pour(response, chunk));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("nonsense")
  void nonsenseIsGarbled(String what, Consumer<HttpServerResponse> answer) {
    ScriptedScheduler scheduler = scheduler().then(answer);
    Cupbear client = builder(scheduler).deadline(ONE_ATTEMPT).build();
    Refusal refusal = refusal(client.acquire(REQUEST));
    assertThat(refusal).as(what).isInstanceOf(Refusal.Garbled.class);
    assertThat(refusal.detail()).doesNotContain(TOKEN).hasSizeLessThan(500);
    assertThat(time.alarms()).isZero();
    get(client.shutdown());
    await().until(() -> scheduler.connections() == 0);
  }

  @Test
  void nonsenseOnceIsAskedAgain() {
    ScriptedScheduler scheduler =
        scheduler().then(json(201, "{}")).then(201, ScriptedScheduler.session(812));
    Future<Session> asked = client(scheduler).acquire(REQUEST);
    await().until(() -> scheduler.seen().size() == 1);
    time.awaitPause();
    time.advanceToNext();
    assertThat(get(asked).id()).isEqualTo(ID);
  }

  @Test
  void aBodyThatDripsEndsWithItsTime() {
    ScriptedScheduler scheduler =
        scheduler()
            .then(response ->
                response
                    .setChunked(true)
                    .setStatusCode(201)
                    .putHeader("content-type", "application/json")
                    .write("{\"id\":"));
    Future<Session> asked =
        builder(scheduler).deadline(Duration.ofSeconds(7)).build().acquire(REQUEST);
    await().until(() -> scheduler.seen().size() == 1);
    assertThat(asked.isComplete()).isFalse();
    time.advance(Duration.ofSeconds(7));
    assertThat(refusal(asked)).isInstanceOf(Refusal.TimedOut.class);
    await().until(() -> scheduler.connections() == 0);
  }

  @Test
  void aRefusalInNoLanguageIsJudgedByItsStatus() {
    ScriptedScheduler scheduler =
        scheduler().then(response -> response.setStatusCode(403).end("go\r\naway"));
    assertThat(refusal(client(scheduler).acquire(REQUEST)))
        .isEqualTo(new Refusal.Forbidden("the scheduler answered with status 403"));
  }

  @Test
  void foreignTextCannotForgeALogLine() {
    JsonObject problem =
        ScriptedScheduler.problem(403, "forbidden").put("detail", "x\r\nroot logged in\u0007");
    ScriptedScheduler scheduler =
        scheduler()
            .then(response ->
                response
                    .setStatusCode(403)
                    .putHeader("content-type", "application/problem+json")
                    .end(problem.toBuffer()));
    assertThat(refusal(client(scheduler).acquire(REQUEST)).detail())
        .isEqualTo("x  root logged in ");
  }

  @Test
  void aRedirectIsNotFollowedWithTheToken() {
    ScriptedScheduler thief = scheduler();
    ScriptedScheduler scheduler =
        scheduler()
            .then(response ->
                response
                    .setStatusCode(307)
                    .putHeader("location", thief.url() + "/v1/sessions")
                    .end());
    assertThat(refusal(client(scheduler).acquire(REQUEST))).isInstanceOf(Refusal.Other.class);
    assertThat(thief.seen()).isEmpty();
  }

  @Test
  void manySilencesDoNotStopARenewal() {
    ScriptedScheduler scheduler = scheduler().then(201, ScriptedScheduler.session(812));
    Cupbear client = client(scheduler);
    Session session = acquired(client);
    for (int i = 0; i < 60; i++) scheduler.thenSilence();
    for (int i = 0; i < 60; i++) client.acquire(REQUEST);
    await().until(() -> scheduler.seen().size() == 61);
    scheduler.thenEmpty(204);
    get(session.connected());
    for (int i = 0; i < 61; i++) scheduler.thenEmpty(204);
    get(client.shutdown());
    await().until(() -> scheduler.connections() == 0);
  }
}
