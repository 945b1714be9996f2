// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.time.Instant;

/**
 * A Machine with our tag that the store does not know: recycled after a while, never handed out.
 */
public record Stray(MachineId id, String name, Instant firstSeenAt) {}
