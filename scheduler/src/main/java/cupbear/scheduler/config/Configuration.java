// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import cupbear.scheduler.security.KeyRing;
import cupbear.scheduler.security.Secret;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What came of reading a configuration: settings, or everything that is wrong with it. */
public sealed interface Configuration {
  /** Good; with every value that holds and its origin. */
  record Valid(Settings settings, List<Effective> effective) implements Configuration {
    public Valid {
      effective = List.copyOf(effective);
    }
  }

  /** Not usable; nothing of it is used. */
  record Invalid(List<Problem> problems) implements Configuration {
    public Invalid {
      problems = List.copyOf(problems);
    }
  }

  /** A hundred times the largest sensible file. */
  long BYTES_MOST = 1L << 20;

  /** Reads the file and lays the environment over it. */
  static Configuration load(Path file, Map<String, String> environment) {
    Origin top = new Origin.InFile(file.toString(), 1, 1);
    try {
      if (Files.size(file) > BYTES_MOST) {
        return new Invalid(List.of(Problem.of(top, "", "larger than 1 MiB; not a configuration")));
      }
      String text = decode(Files.readAllBytes(file));
      Path folder = file.toAbsolutePath().getParent();
      return read(file.toString(), folder == null ? Path.of("") : folder, text, environment);
    } catch (NoSuchFileException e) {
      return new Invalid(List.of(Problem.of(top, "", "there is no such file")));
    } catch (CharacterCodingException e) {
      return new Invalid(List.of(Problem.of(top, "", "not UTF-8; save it as UTF-8")));
    } catch (IOException e) {
      String rule = "cannot be read (%s)".formatted(e.getClass().getSimpleName());
      return new Invalid(List.of(Problem.of(top, "", rule)));
    }
  }

  /**
   * Reads a text.
   *
   * @param folder where relative paths start
   */
  static Configuration read(
      String file, Path folder, String text, Map<String, String> environment) {
    List<Problem> problems = new ArrayList<>();
    Raw.Section document = YamlText.read(file, text, problems);
    if (!problems.isEmpty() && document.entries().isEmpty()) return new Invalid(problems);
    Written written = Shape.WHOLE.lay(document, problems);
    Variables.lay(environment, written, problems);
    Values values = new Values(file, written, problems);
    CrossRules.check(values, problems);
    secrets(environment, problems);
    if (problems.isEmpty()) {
      return new Valid(SettingsReader.settings(values, folder), values.effective());
    }
    return new Invalid(problems.stream().distinct().sorted(byPlace()).toList());
  }

  /** They are not kept here; but a bad one is better found now than at the first session. */
  private static void secrets(Map<String, String> environment, List<Problem> problems) {
    for (SecretVariable each : SecretVariable.values()) {
      Optional<Secret> secret = each.read(environment, problems);
      boolean isKey = each == SecretVariable.SECRET_KEY || each == SecretVariable.SECRET_KEY_OLD;
      if (secret.isEmpty() || !isKey) continue;
      try {
        KeyRing.of(secret.get());
      } catch (IllegalArgumentException e) {
        Origin at = new Origin.InEnvironment(each.variable());
        String rule = "is not 32 bytes in base64; make one with cupbear config secret-key";
        problems.add(Problem.of(at, each.variable(), rule));
      }
    }
  }

  private static Comparator<Problem> byPlace() {
    return Comparator.comparingInt((Problem each) -> line(each.at()))
        .thenComparingInt(each -> each.at() instanceof Origin.InFile in ? in.column() : 0)
        .thenComparing(each -> each.at().toString());
  }

  /** The file from top to bottom, then the environment. */
  private static int line(Origin at) {
    return at instanceof Origin.InFile in ? in.line() : Integer.MAX_VALUE;
  }

  private static String decode(byte[] bytes) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }
}
