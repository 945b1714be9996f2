// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Every session request is answered exactly once, and by its deadline: the time it may wait, plus
 * what the store may take to answer the last question. A scheduler that died owes nothing; one that
 * was frozen owes it that much later.
 */
final class Answers {
  /** Two calls to a store that does not answer, one after the other. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final Agenda agenda;
  private final Court court;

  Answers(Agenda agenda, Court court) {
    this.agenda = agenda;
    this.court = court;
  }

  Obligation asked(String key, Duration wait, SimProcess by) {
    return new Obligation(key, wait, by);
  }

  /** One request at one scheduler. */
  final class Obligation {
    private final String key;
    private final Duration wait;
    private final SimProcess by;
    private boolean hungUp;
    private FrontDoor.@Nullable Reply first;

    private Obligation(String key, Duration wait, SimProcess by) {
      this.key = key;
      this.wait = wait;
      this.by = by;
    }

    void arrived() {
      agenda.after(wait.plus(GRACE), this::due);
    }

    boolean isOver() {
      return first != null || hungUp || !by.isAlive();
    }

    void hungUp() {
      hungUp = true;
    }

    void answered(FrontDoor.Reply answer) {
      court.check();
      if (first != null) {
        court.violated("answered-once", "%s got %s and then %s".formatted(key, first, answer));
      }
      first = answer;
    }

    private void due() {
      court.check();
      if (isOver()) return;
      if (by.wasFrozenWithin(wait.plus(GRACE))) {
        agenda.after(GRACE, this::due);
        return;
      }
      court.violated(
          "answered-in-time",
          "%s has no answer from %s after %d ms"
              .formatted(key, by.name(), wait.plus(GRACE).toMillis()));
    }
  }
}
