// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import java.util.Locale;
import java.util.regex.Pattern;

/** The parts of a key that the operator names. */
enum Blank {
  POOL(
      "<pool>",
      "[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?",
      "a pool name: up to 32 small letters, digits and inner '-'"),
  REGION("<region>", "[a-z]{3,4}", "a Fly region code such as iad"),
  LABEL(
      "<label>",
      "[a-z0-9](?:[a-z0-9_-]{0,62})",
      "a label: up to 63 small letters, digits, '_' and '-'"),
  VARIABLE("<NAME>", "[A-Za-z_][A-Za-z0-9_]{0,127}", "a variable name such as GUACD_BIND"),
  STEP("<n>", "[0-9]{1,2}", "a position, from 0 to 99");

  private final String word;
  private final Pattern shape;
  private final String wanted;

  Blank(String word, String shape, String wanted) {
    this.word = word;
    this.shape = Pattern.compile(shape);
    this.wanted = wanted;
  }

  static boolean isBlank(String segment) {
    return segment.startsWith("<");
  }

  static Blank of(String segment) {
    for (Blank each : values()) {
      if (each.word.equals(segment)) return each;
    }
    throw new IllegalArgumentException("no such blank in a key: " + segment);
  }

  boolean accepts(String name) {
    return shape.matcher(name).matches();
  }

  String wanted() {
    return wanted;
  }

  /** The part of an environment variable's name that may stand for this. */
  String variablePattern() {
    return switch (this) {
      case POOL, LABEL -> "[A-Z0-9]+(?:_[A-Z0-9]+)*";
      case REGION -> "[A-Z]{3,4}";
      case VARIABLE -> "[A-Za-z_][A-Za-z0-9_]*";
      case STEP -> "[0-9]{1,2}";
    };
  }

  /** The name that a part of an environment variable stands for, when the file has no such name. */
  String fromVariable(String part) {
    return switch (this) {
      case POOL -> part.toLowerCase(Locale.ROOT).replace('_', '-');
      case REGION, LABEL -> part.toLowerCase(Locale.ROOT);
      case VARIABLE, STEP -> part;
    };
  }

  /** How this name is written inside an environment variable's name. */
  String toVariable(String name) {
    return this == VARIABLE ? name : variablePart(name);
  }

  static String variablePart(String segment) {
    return segment.toUpperCase(Locale.ROOT).replace('-', '_');
  }
}
