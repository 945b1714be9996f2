// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import cupbear.fly.model.GoDuration;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;

/**
 * Fly's JSON to records and back. Reads generously (unknown fields, words and key spellings pass),
 * writes sparsely (what is empty is left out). Thread-safe.
 */
final class FlyJson {

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_DEFAULT, JsonInclude.Include.ALWAYS))
          .addModule(
              new SimpleModule()
                  .addDeserializer(Duration.class, new DurationReader())
                  .addSerializer(Duration.class, new DurationWriter())
                  .addDeserializer(Instant.class, new InstantReader()))
          .build();

  /** Slower, so only for the one answer whose keys come in either case. */
  private static final ObjectMapper ANY_CASE =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();

  private FlyJson() {}

  static <T> T read(byte[] body, Class<T> type) throws IOException {
    T value = MAPPER.readValue(body, type);
    if (value == null) {
      throw new IOException("null instead of " + type.getSimpleName());
    }
    return value;
  }

  static <T> List<T> readList(byte[] body, Class<T> type) throws IOException {
    List<T> values =
        MAPPER.readValue(body, MAPPER.getTypeFactory().constructCollectionType(List.class, type));
    if (values == null) {
      throw new IOException("null instead of a list of " + type.getSimpleName());
    }
    return List.copyOf(values);
  }

  static <T> T readAnyCase(byte[] body, Class<T> type) throws IOException {
    return ANY_CASE.readValue(body, type);
  }

  static <T> T convert(JsonNode node, Class<T> type) throws IOException {
    return MAPPER.treeToValue(node, type);
  }

  /** Empty when it is no JSON. */
  static Optional<JsonNode> tree(byte[] body) {
    try {
      return Optional.ofNullable(MAPPER.readTree(body)).filter(node -> !node.isMissingNode());
    } catch (IOException notJson) {
      return Optional.empty();
    }
  }

  static byte[] write(Object value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (IOException bug) {
      throw new IllegalArgumentException("cannot write " + value.getClass().getName(), bug);
    }
  }

  /** A text is a Go duration, a number is nanoseconds. */
  private static final class DurationReader extends StdDeserializer<Duration> {
    private static final long serialVersionUID = 1L;

    DurationReader() {
      super(Duration.class);
    }

    @Override
    public Duration deserialize(JsonParser json, DeserializationContext context)
        throws IOException {
      if (json.currentToken() == JsonToken.VALUE_NUMBER_INT) {
        return Duration.ofNanos(json.getLongValue());
      }
      try {
        return GoDuration.parse(json.getValueAsString(""));
      } catch (DateTimeException unknownForm) {
        return (Duration) context.handleWeirdStringValue(Duration.class, "", "duration");
      }
    }
  }

  private static final class DurationWriter extends StdSerializer<Duration> {
    private static final long serialVersionUID = 1L;

    DurationWriter() {
      super(Duration.class);
    }

    @Override
    public void serialize(Duration value, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      json.writeString(GoDuration.format(value));
    }

    @Override
    public boolean isEmpty(SerializerProvider provider, Duration value) {
      return value.isZero();
    }
  }

  /** RFC 3339; a time in a form we do not know is the epoch, as an absent one. */
  private static final class InstantReader extends StdDeserializer<Instant> {
    private static final long serialVersionUID = 1L;

    InstantReader() {
      super(Instant.class);
    }

    @Override
    public Instant deserialize(JsonParser json, DeserializationContext context) throws IOException {
      String text = json.getValueAsString("");
      try {
        if (PlainTime.isOne(text)) return PlainTime.parse(text);
        return text.isEmpty() ? Instant.EPOCH : OffsetDateTime.parse(text).toInstant();
      } catch (DateTimeException unknownForm) {
        return Instant.EPOCH;
      }
    }
  }
}
