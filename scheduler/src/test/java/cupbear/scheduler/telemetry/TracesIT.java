// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import cupbear.scheduler.telemetry.OtlpReceiver.Span;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One session, as whoever receives OTLP sees it. */
class TracesIT {
  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir Path folder;
  private OtlpReceiver receiver;
  private Replica replica;
  private Gateway gateway;

  @BeforeEach
  void open() {
    receiver = new OtlpReceiver();
    Telemetry telemetry =
        Telemetry.start(new Telemetry.Build("1", "abc", "25"), receiver.environment());
    replica = new Replica(folder, telemetry, Declared.withoutTrust(Replica.POOL, 1, "iad"));
    gateway = new Gateway(replica);
  }

  @AfterEach
  void close() {
    gateway.close();
    replica.close();
    receiver.close();
  }

  @Test
  void theWholeTreeOfASessionThatHadToWait() {
    // Nothing is warm yet, so it waits; and a proof is never fresh enough here, so it is probed.
    HttpResponse<String> answer = gateway.create("{\"pool\":\"viewers\",\"wait\":\"25s\"}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    JsonObject session = new JsonObject(answer.body());
    assertThat(gateway.connected(session).statusCode()).isEqualTo(204);

    await().atMost(SOON).until(() -> !receiver.named("machine.retag").isEmpty());
    await().atMost(SOON).until(() -> !receiver.named("assign_to_connect").isEmpty());
    Span request = receiver.named("POST /v1/sessions").getFirst();
    assertThat(request.traceId()).isEqualTo(Gateway.TRACE);
    assertThat(request.parent()).isEqualTo(Gateway.SPAN);
    assertThat(answer.headers().firstValue("traceparent"))
        .contains("00-%s-%s-01".formatted(Gateway.TRACE, request.id()));
    assertThat(below(request))
        .contains("assign.rank", "assign.claim", "assign.wait", "assign.probe", "assign.answer")
        .contains("assign_to_connect");
    String machine = session.getJsonObject("machine").getString("id");
    assertThat(request.attributes())
        .containsEntry("http.request.method", "POST")
        .containsEntry("http.route", "/v1/sessions")
        .containsEntry("http.response.status_code", "201")
        .containsEntry("cupbear.outcome", "assigned")
        .containsEntry("cupbear.region", "iad")
        .containsEntry("cupbear.session.id", session.getString("id"))
        .containsEntry("cupbear.machine.id", machine);
    assertThat(receiver.named("machine.retag"))
        .anySatisfy(retag -> {
          assertThat(retag.links()).containsExactly(Gateway.TRACE + "/" + request.id());
          assertThat(retag.attributes()).containsEntry("cupbear.machine.id", machine);
        });
    assertThat(receiver.named("machine.create"))
        .isNotEmpty()
        .allSatisfy(create -> {
          assertThat(create.parent()).isEmpty();
          assertThat(create.attributes()).containsEntry("cupbear.outcome", "done");
          assertThat(create.attributes()).containsKeys("cupbear.reason", "cupbear.machine.name");
        });
  }

  private List<String> below(Span parent) {
    return receiver.spans.stream()
        .filter(span -> span.parent().equals(parent.id()))
        .map(Span::name)
        .toList();
  }
}
