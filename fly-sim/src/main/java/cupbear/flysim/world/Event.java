// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/** One line of a Machine's history. */
record Event(String id, String type, State status, Source source, Instant at, ObjectNode request) {

  /** Who brought it about. */
  enum Source {
    USER,
    FLYD
  }

  /** The status that the very first event has; no Machine is ever in such a state. */
  private static final String PENDING = "pending";

  ObjectNode toJson() {
    boolean birth = type.equals("launch") && source == Source.USER;
    ObjectNode json =
        Json.object()
            .put("id", id)
            .put("type", type)
            .put("status", birth ? PENDING : status.wireName())
            .put("source", source == Source.USER ? "user" : "flyd")
            .put("timestamp", at.toEpochMilli());
    if (!request.isEmpty()) {
      json.set("request", request.deepCopy());
    }
    return json;
  }
}
