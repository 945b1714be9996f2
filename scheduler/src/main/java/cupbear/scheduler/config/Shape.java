// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The tree that all keys together span. Lays what was written over it: what fits becomes {@link
 * Written}, everything else a problem.
 */
final class Shape {
  static final Shape WHOLE = of(Keys.ALL);

  private final Map<String, Shape> children = new LinkedHashMap<>();
  private @Nullable Key<?> key;

  private Shape() {}

  static Shape of(List<Key<?>> keys) {
    Shape root = new Shape();
    for (Key<?> key : keys) {
      Shape at = root;
      for (String segment : key.segments()) {
        at = at.children.computeIfAbsent(segment, name -> new Shape());
      }
      at.key = key;
    }
    return root;
  }

  /** What was written under keys we know. */
  Written lay(Raw.Section document, List<Problem> problems) {
    Written written = new Written();
    new Walk(written, problems).section(this, "", document);
    return written;
  }

  private Optional<Map.Entry<String, Shape>> blank() {
    return children.entrySet().stream().filter(each -> Blank.isBlank(each.getKey())).findFirst();
  }

  /** One walk over what was written. */
  private record Walk(Written written, List<Problem> problems) {
    void section(Shape shape, String path, Raw.Section section) {
      section.entries().forEach((name, entry) -> entry(shape, path, name, entry));
    }

    private void entry(Shape shape, String path, String name, Raw.Entry entry) {
      String full = path.isEmpty() ? name : path + "." + name;
      Shape known = Blank.isBlank(name) ? null : shape.children.get(name);
      if (known != null) {
        value(known, full, entry);
        return;
      }
      Optional<Map.Entry<String, Shape>> blank = shape.blank();
      if (blank.isEmpty()) {
        unknown(shape, path, name, entry);
        return;
      }
      Blank kind = Blank.of(blank.get().getKey());
      if (kind.accepts(name)) {
        named(blank.get().getValue(), full, entry);
      } else {
        written.broken.add(path);
        problems.add(Problem.of(entry.at(), full, "has no good name; give " + kind.wanted()));
      }
    }

    private void named(Shape shape, String full, Raw.Entry entry) {
      written.names.putIfAbsent(full, entry.at());
      value(shape, full, entry);
    }

    private void value(Shape shape, String full, Raw.Entry entry) {
      if (shape.key != null) {
        written.values.put(full, entry.value());
        return;
      }
      written.sections.put(full, entry.at());
      boolean numbered = shape.children.containsKey("<n>");
      switch (entry.value()) {
        case Raw.Section section when !numbered -> section(shape, full, section);
        case Raw.Items items when numbered -> items(shape, full, items);
        case Raw.Section section -> wrong(full, entry, "give a list of steps");
        case Raw.Items items -> wrong(full, entry, "give keys below it, not a list");
        case Raw.Text text -> wrong(full, entry, below(shape));
      }
    }

    private void items(Shape shape, String full, Raw.Items items) {
      for (int i = 0; i < items.items().size(); i++) {
        Raw item = items.items().get(i);
        entry(shape, full, Integer.toString(i), new Raw.Entry(item.at(), item));
      }
    }

    private void wrong(String full, Raw.Entry entry, String rule) {
      written.broken.add(full);
      problems.add(new Problem(entry.value().at(), full, entry.value().shown(), rule, null));
    }

    private static String below(Shape shape) {
      return "give keys below it, such as " + String.join(", ", shape.children.keySet());
    }

    private void unknown(Shape shape, String path, String name, Raw.Entry entry) {
      String full = path.isEmpty() ? name : path + "." + name;
      String variable = Keys.SECRETS.get(full);
      if (variable != null) {
        String rule = "is a secret and must not lie in a file; put it into " + variable;
        problems.add(Problem.of(entry.at(), full, rule));
      } else if (Keys.soundsSecret(name) && Nearest.to(name, shape.children.keySet()).isEmpty()) {
        String rule =
            "is not a key, and secrets must not lie in a file; they go into CUPBEAR_FLY_TOKEN, "
                + "CUPBEAR_REDIS_PASSWORD and CUPBEAR_SECRET_KEY";
        problems.add(Problem.of(entry.at(), full, rule));
      } else {
        String nearest = nearest(shape, path, name);
        String known =
            nearest == null ? "; known are " + String.join(", ", shape.children.keySet()) : "";
        problems.add(new Problem(entry.at(), full, null, "is not a key" + known, nearest));
      }
    }

    /** Beside it first; then the same word anywhere in the table, for a key in the wrong place. */
    private static @Nullable String nearest(Shape shape, String path, String name) {
      String prefix = path.isEmpty() ? "" : path + ".";
      Optional<String> beside = Nearest.to(name, shape.children.keySet());
      if (beside.isPresent()) return prefix + beside.get();
      List<String> elsewhere = new ArrayList<>();
      for (Key<?> each : Keys.ALL) {
        if (each.path().endsWith("." + name)) elsewhere.add(each.path());
      }
      return elsewhere.isEmpty() ? null : elsewhere.getFirst();
    }
  }
}
