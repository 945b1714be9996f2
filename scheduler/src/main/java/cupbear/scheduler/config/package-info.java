// SPDX-License-Identifier: Apache-2.0
/**
 * The one place for settings: a YAML file and environment variables become immutable records, or
 * the list of everything that is wrong with them.
 */
@NullMarked
package cupbear.scheduler.config;

import org.jspecify.annotations.NullMarked;
