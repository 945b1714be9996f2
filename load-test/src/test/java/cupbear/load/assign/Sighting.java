// SPDX-License-Identifier: Apache-2.0
package cupbear.load.assign;

/**
 * One answer that a caller held in its hands: this key has this session on this Machine. The caller
 * takes it for its own from the moment it read the answer until it began to give the session back,
 * or until the time that it was promised; times in microseconds.
 */
record Sighting(String key, String session, String machine, long epoch, long from, long until) {}
