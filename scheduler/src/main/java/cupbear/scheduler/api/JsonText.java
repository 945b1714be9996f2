// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads one JSON object strictly: UTF-8 only, no name twice, no more levels than allowed, nothing
 * behind it. Gives maps, lists, texts, whole numbers as {@code Long}, others as {@code Double}.
 */
final class JsonText {
  /** Wrong in a way that a caller can be told. */
  private static final class Wrong extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final FieldError error;

    Wrong(String field, String why) {
      super(why, null, false, false);
      this.error = new FieldError(field, why);
    }
  }

  private static final String BODY = "body";
  private static final int NUMBER_LONGEST = 40;

  private final JsonFactory factory;
  private final int depthMost;

  JsonText(int depthMost) {
    this.depthMost = depthMost;
    this.factory =
        JsonFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    // Our own count gives the better sentence; this one is the net below it.
                    .maxNestingDepth(depthMost + 1)
                    .maxNumberLength(NUMBER_LONGEST)
                    .build())
            .build();
  }

  Parsed<Map<String, @Nullable Object>> object(byte[] bytes) {
    try {
      return new Parsed.Good<>(read(decode(bytes)));
    } catch (Wrong wrong) {
      return new Parsed.Bad<>(List.of(wrong.error));
    } catch (JsonProcessingException broken) {
      var at = broken.getLocation();
      String where =
          at == null ? "" : " (line %d, column %d)".formatted(at.getLineNr(), at.getColumnNr());
      return bad("is not JSON" + where);
    } catch (CharacterCodingException broken) {
      return bad("is not UTF-8");
    } catch (IOException never) {
      return bad("cannot be read");
    }
  }

  private static Parsed<Map<String, @Nullable Object>> bad(String why) {
    return new Parsed.Bad<>(List.of(new FieldError(BODY, why)));
  }

  private static String decode(byte[] bytes) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }

  private Map<String, @Nullable Object> read(String text) throws IOException {
    try (JsonParser parser = factory.createParser(text)) {
      JsonToken first = parser.nextToken();
      if (first == null) throw new Wrong(BODY, "is empty; send a JSON object");
      if (first != JsonToken.START_OBJECT) throw new Wrong(BODY, "is not a JSON object");
      Map<String, @Nullable Object> object = readObject(parser, 1);
      if (parser.nextToken() != null) throw new Wrong(BODY, "goes on after the JSON object");
      return object;
    }
  }

  private Map<String, @Nullable Object> readObject(JsonParser parser, int depth)
      throws IOException {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      if (object.containsKey(name)) throw new Wrong(name, "is there twice");
      object.put(name, readValue(parser, depth));
    }
    return object;
  }

  private @Nullable Object readValue(JsonParser parser, int depth) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> readObject(parser, deeper(depth));
      case START_ARRAY -> readArray(parser, deeper(depth));
      case VALUE_STRING -> parser.getText();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NUMBER_INT -> whole(parser);
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_NULL -> null;
      case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
          throw new Wrong(BODY, "is not JSON");
    };
  }

  private static Number whole(JsonParser parser) throws IOException {
    return switch (parser.getNumberType()) {
      case INT, LONG -> parser.getLongValue();
      case BIG_INTEGER, BIG_DECIMAL, FLOAT, DOUBLE -> parser.getDoubleValue();
    };
  }

  private List<@Nullable Object> readArray(JsonParser parser, int depth) throws IOException {
    List<@Nullable Object> array = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) array.add(readValue(parser, depth));
    return array;
  }

  private int deeper(int depth) {
    if (depth < depthMost) return depth + 1;
    throw new Wrong(BODY, "is nested deeper than %d levels".formatted(depthMost));
  }
}
