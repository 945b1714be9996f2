// SPDX-License-Identifier: Apache-2.0
package cupbear.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The written part of the house, for the tests that hold it against the built part. */
final class Pages {
  /** Maven runs tests in the module's folder. */
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  static final Path RUNBOOKS = ROOT.resolve("ops/runbooks");
  static final Path RULES = ROOT.resolve("ops/prometheus");

  private static final Pattern BLOCK =
      Pattern.compile("^ *```(\\w*)\n(.*?)^ *```", Pattern.DOTALL | Pattern.MULTILINE);
  private static final Pattern INLINE = Pattern.compile("`((?:fly|\\./cupbear) [^`\n]+)`");

  private Pages() {}

  static String text(Path page) {
    try {
      return Files.readString(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String name(Path page) {
    return ROOT.relativize(page).toString();
  }

  /** All files with this ending in a folder; none when there is no such folder. */
  static List<Path> in(Path folder, String ending) {
    if (!Files.isDirectory(folder)) return List.of();
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The shell in a page: its {@code sh} blocks, and commands of fly and cupbear within the text.
   */
  static List<String> shell(String page) {
    List<String> shell = new ArrayList<>();
    Matcher block = BLOCK.matcher(page);
    while (block.find()) if (block.group(1).equals("sh")) shell.add(block.group(2));
    Matcher inline = INLINE.matcher(prose(page));
    while (inline.find()) shell.add(inline.group(1));
    return shell;
  }

  /** A page without its blocks of code. */
  static String prose(String page) {
    return BLOCK.matcher(page).replaceAll("");
  }

  /** {@code CupbearWarmBelowMin} is explained in {@code cupbear-warm-below-min}. */
  static String kebab(String alert) {
    return alert.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-").toLowerCase(java.util.Locale.ROOT);
  }
}
