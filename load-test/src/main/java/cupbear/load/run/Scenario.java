// SPDX-License-Identifier: Apache-2.0
package cupbear.load.run;

import cupbear.load.report.LoadReport.Threshold;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What happens for a while, and what must be true of it.
 *
 * @param what it does, in a sentence
 * @param length as a share of {@code --duration}
 * @param shape who comes when
 * @param troubles what goes wrong when; such a scenario needs a stack of its own
 * @param rules what decides, apart from the promises
 */
record Scenario(
    String name,
    String what,
    double length,
    Shape shape,
    List<Trouble> troubles,
    List<Rule> rules) {

  /**
   * What a shape is made for.
   *
   * @param sessions wanted at once
   * @param meanStay of a user
   */
  record Size(int sessions, Duration meanStay, Duration length) {
    /** So many come each second that so many are there at once. */
    double perSecond() {
      return sessions / (meanStay.toNanos() / 1e9);
    }

    Duration at(double share) {
      return Duration.ofNanos(Math.round(length.toNanos() * share));
    }
  }

  /** Adds users to an empty crowd. */
  interface Shape {
    void fill(Crowd crowd, Size size);
  }

  /**
   * Something that is done to the system, or undone.
   *
   * @param at when, as a share of the length
   */
  record Trouble(double at, String what, Deed deed) {}

  /** On the thread of the troubles; may take its time. */
  interface Deed {
    void on(Stage stage) throws IOException, InterruptedException;
  }

  /** A bound on what was seen; empty when it does not apply here. */
  interface Rule {
    Optional<Threshold> judge(Outcome outcome) throws InterruptedException;
  }

  /**
   * A scenario that is over.
   *
   * @param stage null when the system is somebody else's
   */
  record Outcome(Tally tally, @Nullable Stage stage) {}

  Scenario {
    troubles = List.copyOf(troubles);
    rules = List.copyOf(rules);
  }

  boolean needsOwnStack() {
    return !troubles.isEmpty();
  }
}
