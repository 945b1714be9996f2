// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.time.Instant;

/**
 * One Machine of ours as one pass sees it: the store's word, Fly's word and the probes' word side
 * by side, because they may disagree and the plan has to weigh them.
 *
 * @param bootedAt when its current (or last) boot was asked for
 */
public record Machine(
    MachineId id,
    String name,
    TemplateVersion template,
    Keep keep,
    Instant bootedAt,
    MachineState state,
    Sighting fly,
    Health health) {}
