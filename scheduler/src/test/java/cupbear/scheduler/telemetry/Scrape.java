// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Prometheus' text, read back. */
record Scrape(List<Sample> samples, Map<String, String> types) {
  private static final Pattern LINE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)\\})? (\\S+)");
  private static final Pattern LABEL =
      Pattern.compile("([a-zA-Z_]\\w*)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  record Sample(String name, Map<String, String> labels, double value) {}

  static Scrape of(String text) {
    Map<String, String> types = new TreeMap<>();
    List<Sample> samples = new java.util.ArrayList<>();
    for (String line : text.split("\n")) {
      if (line.startsWith("# TYPE ")) {
        String[] words = line.split(" ");
        types.put(words[2], words[3]);
      }
      if (!line.startsWith("#")) samples.add(sample(line));
    }
    return new Scrape(List.copyOf(samples), types);
  }

  private static Sample sample(String line) {
    Matcher parts = LINE.matcher(line);
    if (!parts.matches()) throw new AssertionError("not a sample: " + line);
    Map<String, String> labels = new TreeMap<>();
    Matcher label = LABEL.matcher(parts.group(2) == null ? "" : parts.group(2));
    while (label.find()) labels.put(label.group(1), label.group(2));
    return new Sample(parts.group(1), labels, number(parts.group(3)));
  }

  private static double number(String text) {
    return text.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(text);
  }

  Set<String> names() {
    Set<String> names = new TreeSet<>();
    samples.forEach(sample -> names.add(sample.name()));
    return names;
  }

  /** The one series with these labels: label, value, label, value … */
  double value(String name, String... labels) {
    List<Sample> found = find(name, labels);
    if (found.size() != 1) {
      throw new AssertionError(name + Arrays.toString(labels) + " is " + found);
    }
    return found.getFirst().value();
  }

  List<Sample> find(String name, String... labels) {
    return samples.stream()
        .filter(sample -> sample.name().equals(name) && has(sample, labels))
        .toList();
  }

  private static boolean has(Sample sample, String... labels) {
    for (int i = 0; i < labels.length; i += 2) {
      if (!labels[i + 1].equals(sample.labels().get(labels[i]))) return false;
    }
    return true;
  }
}
