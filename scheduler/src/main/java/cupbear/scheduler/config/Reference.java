// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import java.util.List;

/** The reference page of all keys, written from the table that the parser uses. */
public final class Reference {
  private static final String HEAD =
      """
      # Configuration

      <!-- Written by `./cupbear config keys`; a test holds this page against the code. -->

      One YAML file; [an example](../../ops/cupbear.example.yaml). Every key is also an \
      environment variable, which wins: `pools.viewers.regions.iad.warm_min` is \
      `CUPBEAR_POOLS_VIEWERS_REGIONS_IAD_WARM_MIN`; `-` in a name becomes `_`; lists are separated \
      by commas. An unknown key is an error, and so is a `CUPBEAR_…` variable that is neither \
      a key nor listed below.

      - `./cupbear config check FILE` says everything that is wrong, with file, line and column.
      - `./cupbear config show FILE` shows every value that holds and where it comes from.

      Nothing is converted behind your back: a text that looks like a number or a flag goes in \
      quotes (`version: "7"`), a number does not. Durations have a unit (`500ms`, `5s`, `3m`, \
      `12h`, `7d`), sizes too (`16KiB`). A key that is there twice, an alias and a tag are errors.

      **Reload**: keys marked *live* may change under a running scheduler, all others take a \
      restart. A reload is checked whole and taken over whole, or not at all. Adding or removing a \
      pool or a region takes a restart; a changed template needs a new `template.version`.
      """;

  private Reference() {}

  public static String page() {
    StringBuilder page = new StringBuilder(HEAD);
    section(page, "The scheduler", "", ServerKeys.all());
    section(
        page,
        "Thresholds of all pools",
        "At the top they hold for all pools; inside a pool (`pools.<pool>.reconcile.every`) for "
            + "that one alone.",
        ThresholdKeys.all());
    section(page, "A pool", "", PoolKeys.all());
    variables(page);
    return page.toString();
  }

  private static void section(StringBuilder page, String title, String text, List<Key<?>> keys) {
    page.append("\n## ").append(title).append("\n\n");
    if (!text.isEmpty()) page.append(text).append("\n\n");
    page.append(
        "| key | default | what it is | what it may be | reload |\n|---|---|---|---|---|\n");
    for (Key<?> key : keys) {
      page.append(
          "| `%s` | %s | %s | %s | %s |\n"
              .formatted(
                  key.path(),
                  shownFallback(key),
                  cell(key.doc()),
                  cell(key.kind().wanted()),
                  key.live() ? "live" : "restart"));
    }
  }

  private static String shownFallback(Key<?> key) {
    return key.fallback() instanceof Key.Fallback.Of<?>
        ? "`" + key.shownFallback() + "`"
        : key.shownFallback();
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace("<", "&lt;");
  }

  private static void variables(StringBuilder page) {
    page.append(
        """

        ## Variables that are no keys

        Secrets never lie in the file; a key that looks like one is an error which says where it \
        goes.

        | variable | what it is |
        |---|---|
        """);
    Variables.OTHERS.forEach(
        (name, doc) -> page.append("| `%s` | %s |\n".formatted(name, cell(doc))));
  }
}
