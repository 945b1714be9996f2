// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the last creates in a region said about its capacity.
 *
 * @param failures creates that failed in a row
 * @param retryAt no create before this moment; null when nothing holds it back
 */
public record Capacity(int failures, @Nullable Instant retryAt) {
  public static final Capacity AMPLE = new Capacity(0, null);
}
