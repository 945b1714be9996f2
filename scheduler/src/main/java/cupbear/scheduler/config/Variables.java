// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Environment variables over the file: {@code CUPBEAR_POOLS_VIEWERS_REGIONS_IAD_WARM_MIN} is {@code
 * pools.viewers.regions.iad.warm_min}. A name can be read in two ways when a pool is called like a
 * key; then the reading that names more of what the file has is meant.
 */
final class Variables {
  static final String PREFIX = "CUPBEAR_";

  /** Variables that are ours but no keys: secrets, and what the launcher and the commands take. */
  static final Map<String, String> OTHERS = others();

  private static final List<Pattern> PATTERNS = Keys.ALL.stream().map(Variables::pattern).toList();

  private final Written written;
  private final List<Problem> problems;

  private Variables(Written written, List<Problem> problems) {
    this.written = written;
    this.problems = problems;
  }

  private static Map<String, String> others() {
    Map<String, String> others = new LinkedHashMap<>();
    for (SecretVariable each : SecretVariable.values()) {
      others.put(each.variable(), each.doc());
      others.put(each.fileVariable(), "a file that holds " + each.variable());
    }
    others.put("CUPBEAR_API", "where operator commands find the API");
    others.put("CUPBEAR_TOKEN", "the API token that operator commands use");
    others.put("CUPBEAR_JAVA_HOME", "the JDK that the launcher takes");
    others.put("CUPBEAR_JAVA_OPTS", "more JVM options for the launcher");
    others.put("CUPBEAR_DEBUG", "commands print where a failure came from");
    return others;
  }

  /** Adds the variables to what the file says; they win. */
  static void lay(Map<String, String> environment, Written written, List<Problem> problems) {
    Variables variables = new Variables(written, problems);
    new TreeMap<>(environment)
        .forEach((name, value) -> {
          if (name.startsWith(PREFIX) && !OTHERS.containsKey(name)) variables.lay(name, value);
        });
  }

  /** One way to read a variable's name. */
  private record Reading(Key<?> key, List<String> names, int known) {}

  private void lay(String variable, String value) {
    Origin at = new Origin.InEnvironment(variable);
    List<Reading> readings = readings(variable);
    if (readings.isEmpty()) {
      problems.add(unknown(variable, at));
      return;
    }
    Reading best = readings.getFirst();
    if (readings.size() > 1 && readings.get(1).known == best.known) {
      String rule =
          "can mean %s and %s; set it in the file"
              .formatted(best.key.at(best.names), readings.get(1).key.at(readings.get(1).names));
      problems.add(Problem.of(at, "", rule));
      return;
    }
    String path = best.key.at(best.names);
    prefixes(best.key, best.names).forEach(each -> written.names.putIfAbsent(each, at));
    written.values.put(path, new Raw.Text(value, Raw.Style.UNTYPED, at));
  }

  private List<Reading> readings(String variable) {
    List<Reading> readings = new ArrayList<>();
    for (int i = 0; i < PATTERNS.size(); i++) {
      Matcher matcher = PATTERNS.get(i).matcher(variable);
      if (matcher.matches()) reading(Keys.ALL.get(i), matcher).forEach(readings::add);
    }
    readings.sort(Comparator.comparingInt(Reading::known).reversed());
    return readings;
  }

  private List<Reading> reading(Key<?> key, Matcher matcher) {
    List<String> names = new ArrayList<>();
    StringBuilder path = new StringBuilder();
    int known = 0;
    for (String segment : key.segments()) {
      String name = segment;
      if (Blank.isBlank(segment)) {
        Blank blank = Blank.of(segment);
        String part = matcher.group(names.size() + 1);
        List<String> there = written.below(path.toString());
        name =
            there.stream()
                .filter(each -> blank.toVariable(each).equals(part))
                .findFirst()
                .orElse(blank.fromVariable(part));
        if (!blank.accepts(name)) return List.of();
        if (there.contains(name)) known++;
        names.add(name);
      }
      path.append(path.isEmpty() ? "" : ".").append(name);
    }
    return List.of(new Reading(key, names, known));
  }

  /** All names along a key: the pool, its region. */
  private static List<String> prefixes(Key<?> key, List<String> names) {
    List<String> prefixes = new ArrayList<>();
    StringBuilder path = new StringBuilder();
    int next = 0;
    for (String segment : key.segments()) {
      boolean blank = Blank.isBlank(segment);
      path.append(path.isEmpty() ? "" : ".").append(blank ? names.get(next++) : segment);
      if (blank) prefixes.add(path.toString());
    }
    return prefixes;
  }

  private static Pattern pattern(Key<?> key) {
    StringBuilder pattern = new StringBuilder("CUPBEAR");
    for (String segment : key.segments()) {
      pattern.append('_');
      if (Blank.isBlank(segment)) {
        pattern.append('(').append(Blank.of(segment).variablePattern()).append(')');
      } else {
        pattern.append(Blank.variablePart(segment));
      }
    }
    return Pattern.compile(pattern.toString());
  }

  /** The nearest variable, with the names that the file has in place of the blanks. */
  private Problem unknown(String variable, Origin at) {
    List<String> known = new ArrayList<>(OTHERS.keySet());
    for (Key<?> key : Keys.ALL) {
      if (key.segments().stream().noneMatch(Blank::isBlank)) known.add(key.variable());
      else known.addAll(filled(key));
    }
    String nearest = Nearest.to(variable, known).orElse(null);
    return new Problem(at, "", null, "is a variable that no key has", nearest);
  }

  private List<String> filled(Key<?> key) {
    List<String> open = List.of(key.variable());
    for (String pool : written.below("pools")) {
      List<String> next = new ArrayList<>();
      String withPool = key.variable().replace("<pool>", Blank.POOL.toVariable(pool));
      if (!withPool.contains("<region>")) next.add(withPool);
      for (String region : written.below("pools." + pool + ".regions")) {
        next.add(withPool.replace("<region>", Blank.REGION.toVariable(region)));
      }
      open = join(open, next);
    }
    return open.stream().filter(each -> each.indexOf('<') < 0).toList();
  }

  private static List<String> join(List<String> a, List<String> b) {
    List<String> both = new ArrayList<>(a);
    both.addAll(b);
    return both;
  }
}
