// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.time.Instant;

/**
 * When a Machine last proved healthy, and in which boot: evidence from before a wipe proves nothing
 * about what runs now.
 *
 * @param bootedAt names the boot
 */
public record Proof(MachineId machine, Instant bootedAt, Instant guacdAt, Instant rdpAt) {}
