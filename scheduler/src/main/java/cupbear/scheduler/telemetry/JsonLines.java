// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/** One JSON object per line, for whoever collects logs. Made by Logback, on any thread. */
public final class JsonLines extends EncoderBase<ILoggingEvent> {
  private static final JsonFactory JSON = new JsonFactory();
  private static final byte[] NOTHING = {};

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    ByteArrayOutputStream line = new ByteArrayOutputStream(256);
    try (JsonGenerator json = JSON.createGenerator(line)) {
      json.writeStartObject();
      json.writeStringField("ts", event.getInstant().toString());
      json.writeStringField("level", event.getLevel().toString());
      json.writeStringField("msg", LogFields.masked(event.getFormattedMessage()));
      json.writeStringField("logger", event.getLoggerName());
      for (Map.Entry<String, Object> field : LogFields.of(event).entrySet()) {
        json.writeFieldName(field.getKey());
        write(json, field.getValue());
      }
      json.writeEndObject();
      json.writeRaw('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return line.toByteArray();
  }

  private static void write(JsonGenerator json, Object value) throws IOException {
    switch (value) {
      case Integer number -> json.writeNumber(number);
      case Long number -> json.writeNumber(number);
      case Double number when Double.isFinite(number) -> json.writeNumber(number);
      case Boolean truth -> json.writeBoolean(truth);
      default -> json.writeString(value.toString());
    }
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }
}
