// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Where broken promises are brought: counts checks, keeps violations with how to see them again.
 */
final class Court {
  /** One broken promise breaks others; the first few tell the story. */
  private static final int KEPT_MOST = 5;

  private final Agenda agenda;
  private final Trace trace;
  private final SimSettings settings;
  private final List<Violation> violations = new ArrayList<>();
  private long checks;

  Court(Agenda agenda, Trace trace, SimSettings settings) {
    this.agenda = agenda;
    this.trace = trace;
    this.settings = settings;
  }

  void check() {
    checks++;
  }

  void violated(String invariant, String detail) {
    trace.line("court", "VIOLATED", invariant + ":", detail);
    if (violations.size() >= KEPT_MOST) return;
    violations.add(
        new Violation(
            invariant, settings.seed(), Trace.clock(agenda.nanos()), detail, settings.replay()));
  }

  void trace(String who, String what, Object... details) {
    trace.line(who, what, details);
  }

  /** What latency, freezes and queues may add to any bound. */
  long leeway() {
    return Duration.ofSeconds(5).toNanos();
  }

  boolean isBroken() {
    return !violations.isEmpty();
  }

  List<Violation> violations() {
    return List.copyOf(violations);
  }

  long checks() {
    return checks;
  }
}
