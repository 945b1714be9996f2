// SPDX-License-Identifier: Apache-2.0
package cupbear.load.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.load.viewer.Viewing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who holds which Machine as far as the gateways know: the promises as the world outside sees them.
 * A Machine is held from its grant until the viewer leaves. Any thread.
 */
final class Ledger {
  private final Map<String, String> held = new HashMap<>();
  private final Map<String, Viewing> looking = new HashMap<>();
  private final List<String> broken = new ArrayList<>();
  private int served;

  synchronized void granted(String machine, String session) {
    String other = held.put(machine, session);
    if (other != null) {
      broken.add("%s is held by %s and was given to %s".formatted(machine, other, session));
    }
  }

  /** The viewer sees the desktop, logged in with what the grant said. */
  synchronized void looking(Viewing viewing) {
    looking.put(viewing.session().id(), viewing);
    served++;
  }

  /** A Machine that is given out and does not serve was not ready. */
  synchronized void notServed(String machine, String session, Throwable why) {
    held.remove(machine, session);
    broken.add("%s was given to %s and did not serve: %s".formatted(machine, session, why));
  }

  /** Ended by the viewer, or known to be lost; said before the scheduler hears of it. */
  synchronized void left(Viewing viewing) {
    looking.remove(viewing.session().id());
    held.values().removeIf(viewing.session().id()::equals);
  }

  synchronized int served() {
    return served;
  }

  /** No Machine in two sessions, none that was not ready, no live session disturbed. */
  synchronized void assertKept() {
    List<String> all = new ArrayList<>(broken);
    looking.forEach((session, viewing) -> {
      if (viewing.disturbed() != null) all.add(session + ": " + viewing.disturbed());
    });
    assertThat(all).as("broken promises").isEmpty();
  }
}
