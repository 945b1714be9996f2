// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was written, read as what each key is meant to be. Asking for a value before all problems
 * are mended gives null for what could not be read; {@link #get} is for afterwards.
 */
final class Values {
  private final String file;
  private final Written written;
  private final List<Problem> problems;
  private final Map<String, Object> read = new LinkedHashMap<>();

  Values(String file, Written written, List<Problem> problems) {
    this.file = file;
    this.written = written;
    this.problems = problems;
    for (Key<?> key : Keys.ALL) {
      for (List<String> names : places(key)) readOne(key, names);
    }
  }

  /** Where a key could stand, given the names that were written. */
  private List<List<String>> places(Key<?> key) {
    List<List<String>> places = new ArrayList<>();
    collect(key.segments(), 0, "", List.of(), places);
    return places;
  }

  private void collect(
      List<String> segments, int next, String path, List<String> names, List<List<String>> into) {
    if (next == segments.size()) {
      into.add(names);
      return;
    }
    String segment = segments.get(next);
    String prefix = path.isEmpty() ? "" : path + ".";
    if (!Blank.isBlank(segment)) {
      collect(segments, next + 1, prefix + segment, names, into);
      return;
    }
    for (String name : written.below(path)) {
      List<String> longer = new ArrayList<>(names);
      longer.add(name);
      collect(segments, next + 1, prefix + name, longer, into);
    }
  }

  private void readOne(Key<?> key, List<String> names) {
    String path = key.at(names);
    Raw raw = written.values.get(path);
    if (raw == null) {
      if (key.isRequired()) missing(key, path);
      return;
    }
    Object value = key.kind().read(raw);
    if (value == null) {
      problems.add(
          new Problem(raw.at(), path, raw.shown(), key.kind().complaint(raw), meant(key, raw)));
    } else {
      read.put(path, value);
    }
  }

  private static @Nullable String meant(Key<?> key, Raw raw) {
    return raw instanceof Raw.Text text
        ? Nearest.to(text.text(), key.kind().words()).orElse(null)
        : null;
  }

  /** Points at the nearest thing around it that was written. */
  private void missing(Key<?> key, String path) {
    if (isBroken(path)) return;
    Origin at = new Origin.InFile(file, 1, 1);
    for (String each : enclosing(path)) at = written.originOf(each, at);
    String rule = "is missing; give " + key.kind().wanted();
    problems.add(new Problem(at, path, null, rule, meantName(at, path)));
  }

  private static List<String> enclosing(String path) {
    List<String> outer = new ArrayList<>();
    for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
      outer.add(path.substring(0, dot));
    }
    return outer;
  }

  /** A pool that only a variable names is probably a pool of the file, misspelt. */
  private @Nullable String meantName(Origin at, String path) {
    if (!(at instanceof Origin.InEnvironment) || !path.startsWith("pools.")) return null;
    List<String> pools = new ArrayList<>(written.below("pools"));
    String pool = path.split("\\.")[1];
    pools.remove(pool);
    return Nearest.to(pool, pools).map(name -> "pool " + name).orElse(null);
  }

  /** Whether it, or a section around it, has a problem of its own. */
  boolean isBroken(String path) {
    return written.broken.contains(path)
        || enclosing(path).stream().anyMatch(written.broken::contains);
  }

  List<String> below(String path) {
    return written.below(path);
  }

  Origin origin(String path) {
    return written.originOf(path, new Origin.InFile(file, 1, 1));
  }

  <T> @Nullable T find(Key<T> key, String... names) {
    @SuppressWarnings("unchecked") // stored under its own key
    T value = (T) read.get(key.at(List.of(names)));
    if (value != null) return value;
    return key.fallback() instanceof Key.Fallback.Of<T> of ? of.value() : null;
  }

  boolean isWritten(Key<?> key, String... names) {
    return written.values.containsKey(key.at(List.of(names)));
  }

  <T> T get(Key<T> key, String... names) {
    T value = find(key, names);
    if (value == null) throw new IllegalStateException(key.path() + " was not read");
    return value;
  }

  /** A threshold: the pool's own, else that of all pools. */
  <T> T threshold(Key<T> key, String pool) {
    T own = find(key.ofOnePool(), pool);
    return own != null ? own : get(key);
  }

  List<Effective> effective() {
    List<Effective> all = new ArrayList<>();
    Keys.ALL.stream().filter(key -> !key.isInPool()).forEach(key -> add(key, null, all));
    for (String pool : written.below("pools")) {
      Keys.ALL.stream().filter(Key::isInPool).forEach(key -> add(key, pool, all));
    }
    return all;
  }

  private void add(Key<?> key, @Nullable String pool, List<Effective> into) {
    for (List<String> names : places(key)) {
      if (pool != null && !names.getFirst().equals(pool)) continue;
      Object value = find(key, names.toArray(String[]::new));
      if (value == null) continue;
      String path = key.at(names);
      Origin origin = read.containsKey(path) ? origin(path) : new Origin.Default();
      into.add(new Effective(path, key.show(value), origin, key));
    }
  }
}
