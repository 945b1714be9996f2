// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the probes know about one boot of one Machine. Soft state: a new leader starts from {@link
 * #UNKNOWN} and probes again.
 *
 * @param strikes consecutive failures that count
 * @param passes consecutive healthy rounds
 * @param proven it has been healthy at least once in this boot; failures before that are boot time
 * @param provenAt the newest healthy round
 * @param probedAt the newest round, whatever it said
 */
public record Health(
    int strikes,
    int passes,
    boolean proven,
    @Nullable Instant provenAt,
    @Nullable Instant probedAt) {
  public static final Health UNKNOWN = new Health(0, 0, false, null, null);

  /** A Machine found warm or assigned by a new leader: proven, by whom does not matter. */
  public static final Health TAKEN_OVER = new Health(0, 0, true, null, null);

  /** Was there a healthy answer after this moment? */
  public boolean provenAfter(Instant moment) {
    return provenAt != null && provenAt.isAfter(moment);
  }

  public boolean probedAfter(Instant moment) {
    return probedAt != null && probedAt.isAfter(moment);
  }
}
