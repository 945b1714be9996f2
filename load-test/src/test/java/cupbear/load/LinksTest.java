// SPDX-License-Identifier: Apache-2.0
package cupbear.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every link from one of our pages to a file of this repository leads somewhere. */
class LinksTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern OUTSIDE = Pattern.compile("^[a-z]+:.*", Pattern.DOTALL);

  @Test
  void everyRelativeLinkResolves() throws IOException {
    List<String> broken = new ArrayList<>();
    List<Path> pages = pages();
    for (Path page : pages) {
      Matcher link = LINK.matcher(Pages.prose(Pages.text(page)));
      while (link.find()) {
        String target = link.group(1);
        if (OUTSIDE.matcher(target).matches()) continue;
        if (!leadsSomewhere(page, target)) broken.add(Pages.name(page) + " → " + target);
      }
    }
    assertThat(broken).isEmpty();
    assertThat(pages).hasSizeGreaterThan(20);
  }

  private static boolean leadsSomewhere(Path page, String target) {
    String[] parts = target.split("#", 2);
    Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
    if (!Files.exists(file)) return false;
    return parts.length == 1 || !file.toString().endsWith(".md") || headings(file, parts[1]);
  }

  private static boolean headings(Path page, String anchor) {
    return Pages.prose(Pages.text(page))
        .lines()
        .filter(line -> line.startsWith("#"))
        .anyMatch(line -> anchor(line).equals(anchor));
  }

  /** The anchor that GitHub makes of a heading. */
  private static String anchor(String heading) {
    return heading
        .replaceFirst("^#+ ", "")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N} _-]", "")
        .replace(' ', '-');
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.walk(Pages.ROOT)) {
      return files
          .filter(file -> file.toString().endsWith(".md"))
          .filter(file -> !Pages.name(file).matches("(.*/)?(target|\\.git|node_modules)/.*"))
          .sorted()
          .toList();
    }
  }
}
