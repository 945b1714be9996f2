// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A canary goes in; it must come out by one door only. */
class SecretTest {
  private static final String CANARY = "canary-1f0e3d";
  private static final Secret SECRET = Secret.of(CANARY);

  /** A way in which secrets leak. */
  record Leak(String name, Function<Object, String> way) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Leak> leaks() {
    ObjectMapper strict = new ObjectMapper();
    ObjectMapper lax =
        JsonMapper.builder()
            .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
            .visibility(PropertyAccessor.ALL, Visibility.ANY)
            .build();
    return Stream.of(
        new Leak("toString", Object::toString),
        new Leak("String.valueOf", String::valueOf),
        new Leak("concatenation", value -> "it is " + value),
        new Leak("String.format %s", "%s"::formatted),
        new Leak("inside a list", value -> List.of(value).toString()),
        new Leak("inside an Optional", value -> Optional.of(value).toString()),
        new Leak("as a key of a map", value -> Map.of(value, 1).toString()),
        new Leak("the message of an exception", SecretTest::thrown),
        new Leak("a log line", SecretTest::logged),
        new Leak("JSON", value -> json(strict, value)),
        new Leak("JSON of all fields", value -> json(lax, value)),
        new Leak("JSON inside a map", value -> json(strict, Map.of("key", value))),
        new Leak("a hash that tells", value -> Integer.toString(value.hashCode())));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("leaks")
  void nothingComesOut(Leak leak) {
    for (Object each : List.of(SECRET, new Credentials("viewer", SECRET))) {
      assertThat(leak.way().apply(each))
          .doesNotContain(CANARY)
          .doesNotContain(Integer.toString(CANARY.hashCode()));
    }
  }

  @ParameterizedTest(name = "{0} would leak a plain text")
  @MethodSource("leaks")
  void theTestWouldNotice(Leak leak) {
    assertThat(leak.way().apply(CANARY)).containsAnyOf(CANARY, Integer.toString(CANARY.hashCode()));
  }

  @Test
  void theOneDoor() {
    assertThat(SECRET.reveal()).isEqualTo(CANARY);
    assertThat(SECRET).hasToString("***");
  }

  @Test
  void cannotBeSerialised() throws IOException {
    try (ObjectOutputStream out = new ObjectOutputStream(new ByteArrayOutputStream())) {
      assertThatThrownBy(() -> out.writeObject(SECRET))
          .isInstanceOf(NotSerializableException.class);
    }
  }

  @Test
  void sameTextsAreEqual() {
    assertThat(Secret.of("a")).isEqualTo(Secret.of("a")).hasSameHashCodeAs(Secret.of("a"));
    assertThat(Secret.of("a")).isNotEqualTo(Secret.of("b")).isNotEqualTo("a");
  }

  private static String json(ObjectMapper mapper, Object value) {
    try {
      return mapper.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      return e.toString();
    }
  }

  private static String thrown(Object value) {
    StringWriter text = new StringWriter();
    new IllegalStateException("failed with " + value).printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }

  private static String logged(Object value) {
    LoggerContext context = new LoggerContext();
    Logger logger = context.getLogger("canary");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.setContext(context);
    lines.start();
    logger.addAppender(lines);
    logger.atInfo().addKeyValue("key", value).log("said {}", value);
    ILoggingEvent event = lines.list.getFirst();
    context.stop();
    return event.getFormattedMessage() + event.getKeyValuePairs();
  }
}
