// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The client reads and writes what docs/openapi.yaml says, no less and no more. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ContractTest {
  private final ApiDocument api = ApiDocument.read();

  static Stream<SessionRequest> requests() {
    return Stream.of(
        SessionRequest.of("viewers"),
        SessionRequest.of("viewers").in("iad"),
        SessionRequest.of("viewers").in("iad", "lhr"),
        SessionRequest.of("viewers")
            .in("nrt")
            .from("fdaa:9:d844:a7b:2::3")
            .tenant("acme")
            .waiting(Duration.ofMillis(2500))
            .label("gpu", "false")
            .label("size", "l"),
        SessionRequest.of("viewers").waiting(Duration.ZERO));
  }

  @ParameterizedTest
  @MethodSource("requests")
  void requestsKeepTheSchema(SessionRequest request) {
    assertThat(api.complaints("SessionRequest", request.toJson())).isEmpty();
  }

  @Test
  void theFullExampleIsWhatTheClientWouldSend() {
    JsonObject example =
        api.operation("POST /v1/sessions")
            .getJsonObject("requestBody")
            .getJsonObject("content")
            .getJsonObject("application/json")
            .getJsonObject("examples")
            .getJsonObject("full")
            .getJsonObject("value");
    SessionRequest same =
        SessionRequest.of("viewers")
            .in("iad")
            .from("fdaa:9:d844:a7b:2::3")
            .tenant("acme")
            .waiting(Duration.ofSeconds(5))
            .label("gpu", "false");
    assertThat(same.toJson()).isEqualTo(example);
  }

  /** Each schema that the client reads, a valid value of it, and the reader. */
  Stream<Arguments> readers() {
    JsonObject session = ScriptedScheduler.session(812);
    JsonObject renewed = ScriptedScheduler.renewed(840).put("replacement", session);
    Function<JsonObject, Object> grant = Wire::grant;
    Function<JsonObject, Object> renewal = Wire::renewed;
    return Stream.of(
        Arguments.of("Session", "", session, grant),
        Arguments.of("SessionMachine", "machine", session, grant),
        Arguments.of("Lease", "lease", session, grant),
        Arguments.of("Credentials", "credentials", session, grant),
        Arguments.of("Renewed", "", renewed, renewal),
        Arguments.of("Session", "replacement", renewed, renewal));
  }

  @ParameterizedTest(name = "{0} in {1}")
  @MethodSource("readers")
  void whatTheSchemaNeedsTheClientNeedsAndNothingElse(
      String schema, String at, JsonObject valid, Function<JsonObject, Object> reader) {
    JsonArray needed = api.schemas().getJsonObject(schema).getJsonArray("required");
    JsonObject properties = api.schemas().getJsonObject(schema).getJsonObject("properties");
    List<String> refusedWithout = new ArrayList<>();
    for (String field : properties.fieldNames()) {
      JsonObject copy = valid.copy();
      part(copy, at).remove(field);
      if (!reads(reader, copy)) refusedWithout.add(field);
      part(copy, at).put(field, new JsonArray());
      assertThat(reads(reader, copy)).as(field + " of the wrong kind").isFalse();
    }
    assertThat(refusedWithout)
        .containsExactlyInAnyOrderElementsOf(needed.stream().map(String.class::cast).toList());
    JsonObject newer = valid.copy();
    part(newer, at).put("something_new", 1);
    assertThat(reads(reader, newer)).isTrue();
  }

  private static JsonObject part(JsonObject json, String at) {
    return at.isEmpty() ? json : json.getJsonObject(at);
  }

  private static boolean reads(Function<JsonObject, Object> reader, JsonObject json) {
    try {
      return reader.apply(json) != null;
    } catch (GarbledAnswer garbled) {
      return false;
    }
  }

  /** Every problem of the description and what the client makes of it. */
  @Test
  void everyProblemHasAMeaning() {
    List<String> meanings = new ArrayList<>();
    api.walk((where, object) -> {
      if (where.startsWith("#/components/responses/") && object.containsKey("trace_id")) {
        String type = object.getString("type").substring("/problems/".length());
        Reply reply =
            new Reply(
                object.getInteger("status"), "application/problem+json", "7", object.toBuffer());
        Refusal refusal = reply.refusal().orElseThrow();
        assertThat(refusal.detail()).isEqualTo(object.getString("detail"));
        meanings.add(type + " " + refusal.getClass().getSimpleName());
      }
    });
    assertThat(meanings)
        .contains(
            "invalid-request Invalid",
            "idempotency-key-missing Invalid",
            "unauthorized Unauthorized",
            "forbidden Forbidden",
            "not-found NotFound",
            "lease-lost LeaseLost",
            "machine-lost MachineLost",
            "epoch-stale EpochStale",
            "rate-limited RateLimited",
            "no-capacity NoCapacity",
            "queue-full QueueFull",
            "store-unavailable Unavailable",
            "recovering Unavailable",
            "shutting-down Unavailable",
            "timeout Unavailable",
            "internal-error Unavailable",
            "idempotency-key-reused Other");
  }

  @Test
  void theErrorsOfAnInvalidRequestComeAlong() {
    JsonObject problem =
        new JsonObject()
            .put("detail", "wrong")
            .put(
                "errors",
                new JsonArray()
                    .add(new JsonObject().put("field", "wait").put("why", "is 90s; at most 30s"))
                    .add("nonsense"));
    Reply reply = new Reply(400, "application/problem+json", "", problem.toBuffer());
    assertThat(reply.refusal())
        .contains(
            new Refusal.Invalid(
                List.of(new Refusal.FieldError("wait", "is 90s; at most 30s")), "wrong"));
  }

  @Test
  void retryAfterIsSecondsAndAnythingElseIsNone() {
    for (String odd : List.of("", "-1", "soon", "99999999999", "Wed, 18 Nov 2026 09:00:00 GMT")) {
      Reply reply = new Reply(429, "", odd, Buffer.buffer());
      assertThat(reply.refusal())
          .contains(
              new Refusal.RateLimited(Duration.ZERO, "the scheduler answered with status 429"));
    }
  }

  @Test
  void mistakesInARequestAreToldWhenItIsMade() {
    assertThatThrownBy(() -> SessionRequest.of(" ")).hasMessageContaining("pool");
    assertThatThrownBy(() -> SessionRequest.of("p").waiting(Duration.ofSeconds(31)))
        .hasMessageContaining("30 s");
  }
}
