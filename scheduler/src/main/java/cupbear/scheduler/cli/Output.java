// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * The {@code -o} option that commands mix in: tables and sentences for people, JSON for programs.
 */
public final class Output {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
          .build();
  private static final ObjectWriter JSON = MAPPER.writerWithDefaultPrettyPrinter();

  /** How a command prints its answer. */
  public enum Format {
    TEXT,
    JSON
  }

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "table (default, also: text) or json",
      converter = FormatConverter.class)
  private Format format = Format.TEXT;

  public boolean isJson() {
    return format == Format.JSON;
  }

  /** Prints a value as JSON with snake_case names. */
  public static void printJson(PrintWriter out, Object value) {
    try {
      out.println(JSON.writeValueAsString(value));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot print " + value.getClass() + " as JSON", e);
    }
    out.flush();
  }

  static final class FormatConverter implements ITypeConverter<Format> {
    @Override
    public Format convert(String value) {
      if (value.equalsIgnoreCase("table")) return Format.TEXT;
      try {
        return Format.valueOf(value.toUpperCase(Locale.ROOT));
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(
            "'" + value + "' is not a format; use table, text or json");
      }
    }
  }
}
