// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/** Who may change a Machine until when. */
record Lease(String nonce, Instant expiresAt, String owner, String description, String version) {

  boolean isHeldAt(Instant now) {
    return now.isBefore(expiresAt);
  }

  Lease until(Instant later) {
    return new Lease(nonce, later, owner, description, version);
  }

  ObjectNode toJson() {
    return stripped().put("nonce", nonce).put("version", version);
  }

  /** What everybody may see: without the nonce. */
  ObjectNode stripped() {
    return Json.object()
        .put("owner", owner)
        .put("expires_at", expiresAt.getEpochSecond())
        .put("description", description);
  }
}
