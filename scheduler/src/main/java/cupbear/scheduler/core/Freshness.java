// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.Proof;
import java.time.Duration;
import java.time.Instant;

/**
 * Whether a proof is young enough to hand out its Machine unasked.
 *
 * @param guacd a guacd answer younger than this is believed
 * @param rdp an RDP answer younger than this is believed
 */
public record Freshness(Duration guacd, Duration rdp) {
  /** What has to be asked again. */
  public enum Lack {
    NOTHING,
    GUACD,
    RDP
  }

  public Lack lackOf(Proof proof, Instant now) {
    if (!proof.rdpAt().isAfter(now.minus(rdp))) return Lack.RDP;
    return proof.guacdAt().isAfter(now.minus(guacd)) ? Lack.NOTHING : Lack.GUACD;
  }
}
