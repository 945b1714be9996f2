// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Map;

/** One line for people: the time of day, what happened, the facts. Made by Logback, any thread. */
public final class HumanLines extends EncoderBase<ILoggingEvent> {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneId.systemDefault());
  private static final byte[] NOTHING = {};

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    StringBuilder line = new StringBuilder(160);
    line.append(TIME.format(event.getInstant())).append(' ');
    if (!event.getLevel().equals(Level.INFO)) line.append(event.getLevel()).append(' ');
    line.append(oneLine(LogFields.masked(event.getFormattedMessage())));
    Map<String, Object> fields = LogFields.of(event);
    Object stack = fields.remove("stack");
    fields.forEach((key, value) -> line.append(' ').append(key).append('=').append(quoted(value)));
    line.append('\n');
    if (stack != null) line.append(stack);
    return line.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String quoted(Object value) {
    String text = oneLine(value.toString());
    return text.isEmpty() || text.indexOf(' ') >= 0 ? '"' + text + '"' : text;
  }

  /** What others said must not look like a line of ours. */
  private static String oneLine(String text) {
    return text.replace("\r", "\\r").replace("\n", "\\n").replace("\u001b", "\\e");
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }
}
