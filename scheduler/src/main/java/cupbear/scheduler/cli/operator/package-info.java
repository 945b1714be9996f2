// SPDX-License-Identifier: Apache-2.0
/**
 * The commands of operators: they talk to running schedulers, over the HTTP API and nothing else.
 */
@NullMarked
package cupbear.scheduler.cli.operator;

import org.jspecify.annotations.NullMarked;
