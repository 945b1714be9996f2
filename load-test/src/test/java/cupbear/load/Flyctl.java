// SPDX-License-Identifier: Apache-2.0
package cupbear.load;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What flyctl accepts, as far as our pages use it ({@code flyctl.txt}). */
final class Flyctl {
  /**
   * One command.
   *
   * @param flags each name, with whether a value follows
   */
  record Command(String name, int least, int most, Map<String, Boolean> flags) {}

  private final Map<String, Command> commands = new LinkedHashMap<>();

  private Flyctl() {}

  static Flyctl read() {
    Flyctl flyctl = new Flyctl();
    try (InputStream in = Flyctl.class.getResourceAsStream("/flyctl.txt")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      text.lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(Flyctl::command)
          .forEach(each -> flyctl.commands.put(each.name, each));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return flyctl;
  }

  private static Command command(String line) {
    String[] parts = line.split("\\|", -1);
    String[] counts = parts[1].strip().split("\\.\\.");
    Map<String, Boolean> flags = new LinkedHashMap<>();
    for (String flag : parts[2].strip().split(" ")) {
      if (flag.isBlank()) continue;
      boolean valued = flag.endsWith("=");
      for (String name : flag.replace("=", "").split("/")) {
        flags.put((name.length() == 1 ? "-" : "--") + name, valued);
      }
    }
    return new Command(
        parts[0].strip(), Integer.parseInt(counts[0]), Integer.parseInt(counts[1]), flags);
  }

  /** What is wrong with the words after {@code fly}, if anything. */
  Optional<String> problem(List<String> words) {
    for (int length = Math.min(3, words.size()); length > 0; length--) {
      Command command = commands.get(String.join(" ", words.subList(0, length)));
      if (command != null) return problem(command, words.subList(length, words.size()));
    }
    return Optional.of("flyctl.txt has no such command; add it from flyctl's reference");
  }

  private static Optional<String> problem(Command command, List<String> words) {
    List<String> positional = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (!word.startsWith("-") || word.equals("-")) {
        positional.add(word);
        continue;
      }
      String flag = word.contains("=") ? word.substring(0, word.indexOf('=')) : word;
      Boolean valued = command.flags.get(flag);
      if (valued == null) return Optional.of("fly " + command.name + " has no flag " + flag);
      if (!valued || word.contains("=")) continue;
      if (++i == words.size()) return Optional.of(flag + " needs a value");
    }
    boolean fits = positional.size() >= command.least && positional.size() <= command.most;
    return fits
        ? Optional.empty()
        : Optional.of(
            "fly %s takes %d to %d arguments, not %s"
                .formatted(command.name, command.least, command.most, positional));
  }
}
