// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.time.Instant;

/**
 * An action of ours whose effect the lists do not show yet.
 *
 * @param on the Machine's id; for a create, its name
 * @param until after this moment nobody waits for it any more
 * @param heldOff it failed: not under way, only not to be repeated before {@code until}
 */
public record Expected(ActionKind kind, String on, Instant until, boolean heldOff) {}
