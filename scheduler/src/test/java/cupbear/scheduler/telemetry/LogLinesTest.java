// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import cupbear.scheduler.model.MachineId;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.event.KeyValuePair;

/** How a line looks, to programs and to people. */
class LogLinesTest {
  private static final LoggerContext CONTEXT = new LoggerContext();

  private static LoggingEvent event(Level level, String message, KeyValuePair... facts) {
    LoggingEvent event =
        new LoggingEvent("test", CONTEXT.getLogger("cupbear.test"), level, message, null, null);
    event.setInstant(Instant.parse("2026-11-18T12:00:00.123Z"));
    for (KeyValuePair fact : facts) event.addKeyValuePair(fact);
    return event;
  }

  private static KeyValuePair fact(String key, Object value) {
    return new KeyValuePair(key, value);
  }

  private static String json(LoggingEvent event) {
    return new String(new JsonLines().encode(event), StandardCharsets.UTF_8);
  }

  private static String human(LoggingEvent event) {
    return new String(new HumanLines().encode(event), StandardCharsets.UTF_8);
  }

  @Test
  void factsAreFieldsAndTheMessageIsConstant() {
    String line =
        json(
            event(
                Level.INFO,
                "session assigned",
                fact("machine", new MachineId("m1")),
                fact("duration_ms", 12L),
                fact("paused", true)));
    assertThat(line).endsWith("}\n").doesNotContain("\n{");
    assertThat(new JsonObject(line))
        .isEqualTo(
            new JsonObject()
                .put("ts", "2026-11-18T12:00:00.123Z")
                .put("level", "INFO")
                .put("msg", "session assigned")
                .put("logger", "cupbear.test")
                .put("machine", "m1")
                .put("duration_ms", 12)
                .put("paused", true));
  }

  @Test
  void aFactCannotPretendToBeTheMessage() {
    JsonObject line = new JsonObject(json(event(Level.INFO, "true", fact("msg", "forged"))));
    assertThat(line.getString("msg")).isEqualTo("true");
    assertThat(line.getString("field_msg")).isEqualTo("forged");
  }

  @Test
  void whatOthersSaidCannotStartALineOfItsOwn() {
    LoggingEvent event = event(Level.WARN, "probe", fact("detail", "x\r\nforged \u001b[31mline"));
    assertThat(json(event).lines()).hasSize(1);
    assertThat(human(event).lines()).hasSize(1);
    assertThat(human(event)).doesNotContain("\u001b");
  }

  @Test
  void peopleReadTheFactsBehindTheMessage() {
    String line =
        human(event(Level.WARN, "action ended", fact("machine", "m1"), fact("why", "it is old")));
    assertThat(line)
        .matches("\\d\\d:\\d\\d:\\d\\d\\.123 WARN action ended machine=m1 why=\"it is old\"\n");
  }

  @Test
  void anErrorBringsItsStack() {
    LoggingEvent event =
        new LoggingEvent(
            "test",
            CONTEXT.getLogger("cupbear.test"),
            Level.ERROR,
            "a loop broke",
            new IllegalStateException("with cb_gw1_0123456789abcdefghij inside"),
            null);
    event.setInstant(Instant.EPOCH);
    assertThat(new JsonObject(json(event)).getString("stack"))
        .contains("IllegalStateException", "LogLinesTest")
        .doesNotContain("0123456789abcdefghij");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "Fly's macaroon       | FlyV1 fm2_lJPECAAAAAAAABcd,fm2_x=  | fm2_lJPECAAAAAAAABcd",
        "one without a scheme | token fm2_lJPECAAAAAAAABcd/x       | lJPECAAAAAAAABcd",
        "our own token        | got cb_gw1_c2VjcmV0LXNlY3JldA here | c2VjcmV0LXNlY3JldA",
        "a bearer header      | Authorization: Bearer abcdef.12345 | abcdef.12345",
        "a Redis password     | redis://user:hunter2@host:6379/0   | hunter2"
      })
  void theSecondNetKnowsTheShapesOfSecrets(String name, String text, String secret) {
    assertThat(json(event(Level.INFO, text.trim()))).doesNotContain(secret).contains("***");
    assertThat(json(event(Level.INFO, "x", fact("why", text)))).doesNotContain(secret);
    assertThat(human(event(Level.INFO, "x", fact("why", text)))).doesNotContain(secret);
  }

  @ParameterizedTest
  @CsvSource({"warm_min exceeds warm_max", "cb_x is no token", "mail me@home", "a bearer of news"})
  void theSecondNetLetsWordsPass(String text) {
    assertThat(Masking.of(text)).isEqualTo(text);
  }
}
