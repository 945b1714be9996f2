// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One Machine as the store has it: the hard half of a {@link Machine}.
 *
 * @param address null until Fly has said it
 * @param proof null while it has not been proven in this boot
 */
public record Booked(
    MachineId id,
    String name,
    Region region,
    TemplateVersion template,
    Keep keep,
    Instant bootedAt,
    @Nullable String address,
    MachineState state,
    @Nullable Proof proof) {}
