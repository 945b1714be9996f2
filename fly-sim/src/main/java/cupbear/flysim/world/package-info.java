// SPDX-License-Identifier: Apache-2.0
/**
 * The simulated platform as one state machine: calls and timers go in, answers come out. It opens
 * no socket and reads no clock; time, timers, chance and the insides of Machines are given to it.
 */
@NullMarked
package cupbear.flysim.world;

import org.jspecify.annotations.NullMarked;
