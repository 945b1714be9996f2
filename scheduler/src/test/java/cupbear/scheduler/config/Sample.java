// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A small good configuration, and ways to read it. */
final class Sample {
  static final String FILE = "cupbear.yaml";

  /** Lines are counted by the tests: change it with care. */
  static final String GOOD =
      """
      environment: demo
      fly: {app: cupbear-viewer, org: acme}
      redis: {url: "redis://localhost:6379"}
      listen: {api: "127.0.0.1:8080", ops: "127.0.0.1:9090"}
      pools:
        viewers:
          template: {version: "7", image: viewer}
          regions:
            iad: {warm_min: 2, warm_max: 4}
            lhr: {warm_min: 1, warm_max: 2}
      """;

  private Sample() {}

  static Configuration read(String yaml, Map<String, String> environment) {
    return Configuration.read(FILE, Path.of("etc"), yaml, environment);
  }

  static Configuration.Valid good(String yaml, Map<String, String> environment) {
    return switch (read(yaml, environment)) {
      case Configuration.Valid valid -> valid;
      case Configuration.Invalid invalid ->
          throw new AssertionError("not good: " + invalid.problems());
    };
  }

  static Configuration.Valid good(String yaml) {
    return good(yaml, Map.of());
  }

  static List<String> problems(String yaml, Map<String, String> environment) {
    return switch (read(yaml, environment)) {
      case Configuration.Valid valid -> List.of();
      case Configuration.Invalid invalid ->
          invalid.problems().stream().map(Problem::toString).toList();
    };
  }

  /** The good one with a line replaced; lines count from one, and an empty text removes it. */
  static String with(int line, String text) {
    List<String> lines = new java.util.ArrayList<>(GOOD.lines().toList());
    lines.set(line - 1, text);
    return String.join("\n", lines) + "\n";
  }

  /** The good one with more lines at its end, inside the pool. */
  static String inPool(String lines) {
    return GOOD + lines.indent(4);
  }

  /** The good one with more lines at its beginning. */
  static String atTop(String lines) {
    return lines.strip() + "\n" + GOOD;
  }
}
