// SPDX-License-Identifier: Apache-2.0
/** Decisions as pure functions: value in, value out; no clock, no randomness, no wires. */
@NullMarked
package cupbear.scheduler.core;

import org.jspecify.annotations.NullMarked;
