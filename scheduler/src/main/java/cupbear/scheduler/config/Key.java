// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One key of the configuration. All there is to know about it stands here and nowhere else: the
 * parser, the environment variables, {@code config show} and the reference page read it.
 *
 * @param path with blanks for the names an operator chooses: {@code pools.<pool>.failover}
 * @param fallback what holds when nobody says anything
 * @param doc one line for the reference page
 * @param live whether a reload may change it
 */
public record Key<T>(String path, Kind<T> kind, Fallback<T> fallback, String doc, boolean live) {
  /** What holds when a key is not there. */
  sealed interface Fallback<T> {
    /** It must be there. */
    record Required<T>() implements Fallback<T> {}

    /** The default. */
    record Of<T>(T value) implements Fallback<T> {}

    /** Nothing; and what that means, for people. */
    record Unset<T>(String meaning) implements Fallback<T> {}
  }

  static final String POOLS = "pools.<pool>.";

  List<String> segments() {
    return List.of(path.split("\\."));
  }

  boolean isInPool() {
    return path.startsWith(POOLS);
  }

  boolean isRequired() {
    return fallback instanceof Fallback.Required;
  }

  /** For a threshold of all pools: the key that sets it for one pool alone. */
  Key<T> ofOnePool() {
    return new Key<>(POOLS + path, kind, new Fallback.Unset<>(path), doc, live);
  }

  /** The name of the environment variable, with the blanks as they are. */
  String variable() {
    return segments().stream()
        .map(segment -> Blank.isBlank(segment) ? segment : Blank.variablePart(segment))
        .reduce("CUPBEAR", (a, b) -> a + "_" + b);
  }

  /** The key with names in place of the blanks, in order. */
  String at(List<String> names) {
    StringBuilder at = new StringBuilder();
    int next = 0;
    for (String segment : segments()) {
      if (!at.isEmpty()) at.append('.');
      at.append(Blank.isBlank(segment) ? names.get(next++) : segment);
    }
    return at.toString();
  }

  String shownFallback() {
    return switch (fallback) {
      case Fallback.Required<T> r -> "required";
      case Fallback.Of<T> of -> kind.showing().apply(of.value());
      case Fallback.Unset<T> unset -> unset.meaning();
    };
  }

  String show(@Nullable Object value) {
    @SuppressWarnings("unchecked") // values are stored under their own key only
    T typed = (T) value;
    return typed == null ? "" : kind.showing().apply(typed);
  }

  /** Collects the keys of one part of the table, in the order of the reference page. */
  static final class Table {
    private final String prefix;
    private final boolean live;
    private final List<Key<?>> keys = new java.util.ArrayList<>();

    Table(String prefix, boolean live) {
      this.prefix = prefix;
      this.live = live;
    }

    <T> Key<T> required(String path, Kind<T> kind, String doc) {
      return add(path, kind, new Fallback.Required<>(), doc);
    }

    <T> Key<T> key(String path, Kind<T> kind, T fallback, String doc) {
      return add(path, kind, new Fallback.Of<>(fallback), doc);
    }

    <T> Key<T> optional(String path, Kind<T> kind, String meaning, String doc) {
      return add(path, kind, new Fallback.Unset<>(meaning), doc);
    }

    private <T> Key<T> add(String path, Kind<T> kind, Fallback<T> fallback, String doc) {
      Key<T> key = new Key<>(prefix + path, kind, fallback, doc, live);
      Predicate<Key<?>> same = each -> each.path().equals(key.path());
      if (keys.stream().anyMatch(same)) throw new IllegalStateException(path + " is there twice");
      keys.add(key);
      return key;
    }

    List<Key<?>> all() {
      return List.copyOf(keys);
    }
  }
}
