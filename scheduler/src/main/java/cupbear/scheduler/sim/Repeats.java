// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * No scheduler sends Fly the same order again while the first one is under way and has had no
 * effect: that is what expectations are for. A process that has won a new mandate meanwhile knows
 * nothing of the first one, and may.
 */
final class Repeats {
  private final Agenda agenda;
  private final Court court;
  private @Nullable SimFly fly;
  private final Map<String, Long> underWay = new HashMap<>();
  private final Map<String, Long> elected = new HashMap<>();

  Repeats(Agenda agenda, Court court) {
    this.agenda = agenda;
    this.court = court;
  }

  void over(SimFly truth) {
    fly = truth;
  }

  void elected(String process) {
    elected.put(process, agenda.nanos());
  }

  void begins(String process, String action, String target) {
    String key = process + " " + action + " " + target;
    Long first = underWay.putIfAbsent(key, agenda.nanos());
    court.check();
    if (first == null || elected.getOrDefault(process, -1L) >= first) return;
    if (fly != null && fly.isDone(action, target)) return;
    court.violated(
        "nothing-sent-twice",
        "%s sends %s %s again, %d ms after the first, which is under way"
            .formatted(process, action, target, (agenda.nanos() - first) / 1_000_000));
  }

  void ends(String process, String action, String target) {
    underWay.remove(process + " " + action + " " + target);
  }
}
