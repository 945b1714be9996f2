// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionView;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which sessions were connected already, so that each is timed once. Any thread. */
final class Connections {
  /** Older ones would be counted again; nobody confirms a session that long after. */
  private static final int REMEMBERED = 10_000;

  private final Set<SessionId> told =
      Collections.newSetFromMap(
          new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<SessionId, Boolean> eldest) {
              return size() > REMEMBERED;
            }
          });

  /** How long it took from the answer to the connection, the first time a session is asked for. */
  synchronized Optional<Duration> first(SessionView session) {
    Grant grant = session.grant();
    Instant confirmedAt = session.confirmedAt();
    if (grant == null || confirmedAt == null || !told.add(session.session())) {
      return Optional.empty();
    }
    Duration took = Duration.between(grant.grantedAt(), confirmedAt);
    return took.isNegative() ? Optional.empty() : Optional.of(took);
  }
}
