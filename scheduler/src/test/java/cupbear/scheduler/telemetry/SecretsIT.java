// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * A password and a token go through a whole session, with everything listening at its loudest; and
 * are found in the one answer that is to hold the password, and nowhere else. The same session
 * leaves a line per decision.
 */
class SecretsIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir Path folder;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger ours = (Logger) LoggerFactory.getLogger("cupbear");
  private final AppenderBase<ILoggingEvent> ear =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          // Another test's replica may run beside this one: keep to our own threads' words.
          lines.add(new String(new JsonLines().encode(event), StandardCharsets.UTF_8));
        }
      };
  private OtlpReceiver receiver;
  private Replica replica;

  @BeforeEach
  void open() {
    ear.setContext(ours.getLoggerContext());
    ear.start();
    ours.addAppender(ear);
    ours.setLevel(Level.TRACE);
    receiver = new OtlpReceiver();
    Telemetry telemetry =
        Telemetry.start(new Telemetry.Build("1", "abc", "25"), receiver.environment());
    replica = new Replica(folder, telemetry, Declared.pool(Replica.POOL, 1, true, "iad"));
  }

  @AfterEach
  void close() {
    replica.close();
    receiver.close();
    ours.detachAppender(ear);
    ours.setLevel(null);
  }

  @Test
  void secretsAreInOneAnswerAndNowhereElse() {
    await().atMost(SOON).until(() -> replica.warm("iad") >= 1);
    try (Gateway gateway = new Gateway(replica)) {
      var answer = gateway.create("{\"pool\":\"viewers\"}");
      assertThat(answer.body()).contains(Logins.CANARY);
      JsonObject session = new JsonObject(answer.body());
      gateway.connected(session);
      await().atMost(SOON).until(() -> !receiver.named("assign_to_connect").isEmpty());
      await().atMost(SOON).until(() -> has("session connected"));
      everyDecisionHasALine(session);
    }
    assertThat(replica.yard.stdin).as("the Machine itself was told").anyMatch(this::isSecret);
    assertThat(lines).as("logs").isNotEmpty().noneMatch(this::isSecret);
    assertThat(List.of(replica.telemetry.scrape())).as("metrics").noneMatch(this::isSecret);
    assertThat(receiver.raw).as("traces").isNotEmpty().noneMatch(this::isSecret);
    assertThat(replica.yard.tags.toString()).as("metadata").doesNotContain(Logins.CANARY);
    assertThat(Replica.get(replica.journal.after(Replica.POOL, "", 1000)))
        .as("journal and events")
        .isNotEmpty()
        .extracting(Object::toString)
        .noneMatch(this::isSecret);
  }

  private void everyDecisionHasALine(JsonObject session) {
    JsonObject assigned = line("session assigned");
    assertThat(assigned.getString("session")).isEqualTo(session.getString("id"));
    assertThat(assigned.getString("machine"))
        .isEqualTo(session.getJsonObject("machine").getString("id"));
    assertThat(assigned.getString("epoch")).isEqualTo("" + session.getLong("epoch"));
    assertThat(assigned.getString("trace_id")).isEqualTo(Gateway.TRACE);
    assertThat(assigned.getString("region")).isEqualTo("iad");
    assertThat(line("action ended").getMap())
        .containsKeys(
            "machine", "region", "epoch", "action", "reason", "outcome", "duration_ms", "trace_id");
    assertThat(line("machine proven").getMap()).containsKeys("machine", "region", "epoch");
    assertThat(line("probe says something new").getString("outcome")).isEqualTo("healthy");
  }

  private boolean isSecret(String text) {
    return text.contains(Logins.CANARY) || text.contains(replica.token.reveal());
  }

  private boolean has(String message) {
    return lines.stream().anyMatch(each -> each.contains("\"msg\":\"" + message + "\""));
  }

  private JsonObject line(String message) {
    return lines.stream()
        .filter(each -> each.contains("\"msg\":\"" + message + "\""))
        .map(JsonObject::new)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no line '" + message + "' among " + lines));
  }
}
