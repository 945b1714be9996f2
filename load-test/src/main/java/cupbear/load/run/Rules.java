// SPDX-License-Identifier: Apache-2.0
package cupbear.load.run;

import cupbear.load.report.LoadReport.Counts;
import cupbear.load.report.LoadReport.Threshold;
import cupbear.load.run.Scenario.Rule;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** The bounds that scenarios choose from. */
final class Rules {
  /** The system heals within this, counted from the end of the last trouble. */
  static final Duration WHOLE_WITHIN = Duration.ofSeconds(90);

  private Rules() {}

  /** The generator kept its schedule; else it measured itself. */
  static final Rule ON_TIME =
      outcome -> {
        Counts counts = outcome.tally().counts();
        return threshold(
            "no arrival late (more than %d ms) or dropped".formatted(Generator.LATE.toMillis()),
            "%d late, %d dropped".formatted(counts.late(), counts.dropped()),
            counts.late() == 0 && counts.dropped() == 0);
      };

  /** Everybody is served. */
  static final Rule NOBODY_REFUSED =
      outcome -> {
        Counts counts = outcome.tally().counts();
        return threshold(
            "nobody refused",
            refusals(outcome.tally()),
            counts.refused() + counts.unanswered() == 0);
      };

  /** Of those who came, at least this share is served. */
  static Rule served(double share) {
    return outcome -> {
      Counts counts = outcome.tally().counts();
      double seen = counts.arrivals() == 0 ? 0 : (double) counts.granted() / counts.arrivals();
      return threshold(
          String.format(Locale.ROOT, "at least %.1f %% served", 100 * share),
          String.format(Locale.ROOT, "%.2f %%, %s", 100 * seen, refusals(outcome.tally())),
          seen >= share);
    };
  }

  static Rule queue(double percentile, Duration most) {
    return outcome -> {
      Histogram queue = outcome.tally().queue();
      double seen = queue.getValueAtPercentile(percentile) / 1000.0;
      return threshold(
          String.format(Locale.ROOT, "p%s ≤ %d ms", plain(percentile), most.toMillis()),
          String.format(Locale.ROOT, "%.1f ms", seen),
          queue.getTotalCount() > 0 && seen <= most.toMillis());
    };
  }

  /** Whoever belongs to a small tenant does not wait behind the crowd of a big one. */
  static Rule fair(String big, String small) {
    return outcome -> {
      Histogram many = outcome.tally().ofTenant(big);
      Histogram few = outcome.tally().ofTenant(small);
      return threshold(
          "the longest wait of " + small + " is no longer than that of " + big,
          String.format(
              Locale.ROOT,
              "%.0f ms and %.0f ms",
              few.getMaxValue() / 1000.0,
              many.getMaxValue() / 1000.0),
          few.getTotalCount() > 0 && few.getMaxValue() <= many.getMaxValue());
    };
  }

  /** What was counted between two troubles stayed at nothing. */
  static Rule none(String what) {
    return outcome -> {
      Stage stage = outcome.stage();
      if (stage == null) return Optional.empty();
      Long seen = stage.counted(what);
      return threshold(
          "no " + what, seen == null ? "not counted" : "" + seen, seen != null && seen == 0);
    };
  }

  /** After all is over every region has its warm Machines and a leader again. */
  static final Rule WHOLE_AGAIN =
      outcome -> {
        Stage stage = outcome.stage();
        if (stage == null) return Optional.empty();
        boolean whole = stage.isWhole();
        return threshold(
            "the pool is whole again within %d s".formatted(WHOLE_WITHIN.toSeconds()),
            stage.view().regions().map(Stage::line).orElse("nobody answers"),
            whole);
      };

  /** Nothing is left of a session once everybody has gone, here or at Fly. */
  static final Rule NOTHING_LEFT =
      outcome -> {
        Stage stage = outcome.stage();
        if (stage == null) return Optional.empty();
        Stage.Leftovers left = stage.leftovers();
        return threshold(
            "no session left, and Fly has the Machines that the book has",
            "%d sessions; %d Machines in the book, %d at Fly"
                .formatted(left.sessions(), left.inBook(), left.atFly()),
            left.sessions() == 0 && left.inBook() == left.atFly());
      };

  private static String refusals(Tally tally) {
    Counts counts = tally.counts();
    String unanswered =
        counts.unanswered() == 0 ? "" : ", %d unanswered".formatted(counts.unanswered());
    return counts.refused() == 0
        ? "0 refused" + unanswered
        : "%d refused %s%s".formatted(counts.refused(), tally.refusals(), unanswered);
  }

  private static String plain(double percentile) {
    return percentile == Math.rint(percentile)
        ? String.valueOf((int) percentile)
        : String.valueOf(percentile);
  }

  private static Optional<Threshold> threshold(String rule, String seen, boolean met) {
    return Optional.of(new Threshold(rule, seen, met));
  }
}
