// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import java.time.Instant;

/**
 * Fly's own lock on a Machine. Whoever lists it sees no nonce; only the holder has one.
 *
 * @param expiresAt seconds since the epoch
 */
public record Lease(
    String nonce, long expiresAt, String owner, String description, String version) {
  public Lease {
    nonce = Absent.text(nonce);
    owner = Absent.text(owner);
    description = Absent.text(description);
    version = Absent.text(version);
  }

  public Instant expires() {
    return Instant.ofEpochSecond(expiresAt);
  }

  /** Without the nonce: who has it may change the Machine. */
  @Override
  public String toString() {
    return "Lease[owner=" + owner + ", description=" + description + ", expires=" + expires() + "]";
  }
}
