// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import java.time.Duration;
import java.util.List;

/**
 * What to wait for. A round at Fly lasts 60 s at most; the client goes on with the next round until
 * the time given to the call is over.
 *
 * @param states any of these ({@code started stopped suspended destroyed failed settled})
 * @param version only this version of the Machine counts; empty for any
 * @param fromEventId only what happened after this event counts; empty for now
 * @param round how long one request stays open
 */
public record WaitFor(List<String> states, String version, String fromEventId, Duration round) {

  public static final Duration LONGEST_ROUND = Duration.ofMinutes(1);
  private static final Duration USUAL_ROUND = Duration.ofSeconds(55);

  public WaitFor {
    states = Absent.list(states);
    version = Absent.text(version);
    fromEventId = Absent.text(fromEventId);
    if (round.compareTo(Duration.ofSeconds(1)) < 0 || round.compareTo(LONGEST_ROUND) > 0) {
      throw new IllegalArgumentException("a round lasts 1 s to 60 s, not " + round);
    }
  }

  public static WaitFor anyOf(String... states) {
    return new WaitFor(List.of(states), "", "", USUAL_ROUND);
  }

  public WaitFor version(String instanceId) {
    return new WaitFor(states, instanceId, fromEventId, round);
  }

  public WaitFor after(String eventId) {
    return new WaitFor(states, version, eventId, round);
  }

  public WaitFor rounds(Duration each) {
    return new WaitFor(states, version, fromEventId, each);
  }
}
