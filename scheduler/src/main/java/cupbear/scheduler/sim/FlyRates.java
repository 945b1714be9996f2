// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import cupbear.scheduler.port.FlyTrouble;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Counts what each scheduler sends to Fly, and holds it against the published rates: 1 per second
 * with a burst of 3 per action and identifier, 5 per second with a burst of 10 for a look. Counted
 * apart from the pacing that is there to keep them.
 */
final class FlyRates implements SimFlyClient.Meter {
  private static final double ROUNDING = 1e-6;

  private final Agenda agenda;
  private final Court court;
  private final Repeats repeats;
  private final Map<String, Level> levels = new HashMap<>();
  private long calls;
  private long refusals;
  private long creates;
  private long destroys;

  FlyRates(Agenda agenda, Court court, Repeats repeats) {
    this.agenda = agenda;
    this.court = court;
    this.repeats = repeats;
  }

  @Override
  public void sent(String by, String action, String identifier) {
    calls++;
    if (action.equals("create")) creates++;
    if (action.equals("destroy")) destroys++;
    boolean look = action.equals("look");
    double burst = look ? 10 : 3;
    double perSecond = look ? 5 : 1;
    Level level =
        levels.computeIfAbsent(by + " " + action + " " + identifier, any -> new Level(burst));
    double gained = (agenda.nanos() - level.at) / 1e9 * perSecond;
    level.left = Math.min(burst, level.left + gained) - 1;
    level.at = agenda.nanos();
    court.check();
    if (level.left < -ROUNDING) {
      court.violated(
          "published-rates",
          String.format(Locale.ROOT, "%s sends %s %s too often", by, action, identifier));
    }
  }

  @Override
  public void refused(String by, String action, FlyTrouble.Kind kind) {
    refusals++;
    court.trace(by, "fly-" + action, kind);
  }

  @Override
  public void begins(String by, String action, String target) {
    repeats.begins(by, action, target);
  }

  @Override
  public void ends(String by, String action, String target) {
    repeats.ends(by, action, target);
  }

  /** Calls to Fly over a whole run. */
  record Calls(long sent, long refusals, long creates, long destroys) {}

  Calls counted() {
    return new Calls(calls, refusals, creates, destroys);
  }

  private static final class Level {
    private double left;
    private long at;

    private Level(double left) {
      this.left = left;
    }
  }
}
