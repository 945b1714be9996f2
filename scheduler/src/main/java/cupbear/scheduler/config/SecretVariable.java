// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import cupbear.scheduler.security.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The secrets, which come from the environment or from a file it names, and from nowhere else. */
public enum SecretVariable {
  FLY_TOKEN("Fly's app-scoped token for fly.app"),
  REDIS_PASSWORD("the password of Redis"),
  SECRET_KEY(
      "seals credentials and signs receipts: 32 bytes in base64 (cupbear config secret-key)"),
  SECRET_KEY_OLD("the key before it, still accepted while replicas change over");

  /** A token is a line; a file beyond this was named by mistake. */
  private static final long BYTES_MOST = 64 * 1024;

  private final String doc;

  SecretVariable(String doc) {
    this.doc = doc;
  }

  public String variable() {
    return Variables.PREFIX + name();
  }

  /** For secrets that the platform mounts as files. */
  public String fileVariable() {
    return variable() + "_FILE";
  }

  String doc() {
    return doc;
  }

  /** The secret, when there is one; what is wrong with it is added to the problems. */
  public Optional<Secret> read(Map<String, String> environment, List<Problem> problems) {
    String direct = environment.get(variable());
    String file = environment.get(fileVariable());
    if (direct != null && file != null) {
      String rule = "and %s are both set; keep one".formatted(fileVariable());
      problems.add(Problem.of(new Origin.InEnvironment(variable()), variable(), rule));
      return Optional.empty();
    }
    if (direct != null) return nonEmpty(direct, variable(), problems);
    if (file == null) return Optional.empty();
    return content(file, problems).flatMap(text -> nonEmpty(text, fileVariable(), problems));
  }

  private Optional<Secret> nonEmpty(String text, String from, List<Problem> problems) {
    if (!text.isBlank()) return Optional.of(Secret.of(text.strip()));
    Origin at = new Origin.InEnvironment(from);
    problems.add(Problem.of(at, variable(), "is empty; set it, or unset the variable"));
    return Optional.empty();
  }

  private Optional<String> content(String file, List<Problem> problems) {
    Origin at = new Origin.InEnvironment(fileVariable());
    try {
      Path path = Path.of(file);
      if (Files.size(path) <= BYTES_MOST) return Optional.of(Files.readString(path));
      problems.add(Problem.of(at, fileVariable(), "names a file of more than 64 KiB"));
    } catch (IOException | java.nio.file.InvalidPathException e) {
      String rule = "give a file that can be read (%s)".formatted(e.getClass().getSimpleName());
      problems.add(new Problem(at, fileVariable(), file, rule, null));
    }
    return Optional.empty();
  }
}
