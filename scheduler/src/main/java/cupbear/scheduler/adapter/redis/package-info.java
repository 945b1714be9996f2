// SPDX-License-Identifier: Apache-2.0
/**
 * The store on Redis: one Lua script per step, called through lanes that share a pipeline among the
 * calls that arrive together.
 */
@NullMarked
package cupbear.scheduler.adapter.redis;

import org.jspecify.annotations.NullMarked;
