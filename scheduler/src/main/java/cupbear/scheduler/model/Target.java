// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

/**
 * How many warm Machines a regional pool should have now.
 *
 * @param warm the number to keep
 * @param fresh the same without the hold: what the hold window has to remember
 * @param ceiling warm_max after the budget
 * @param spike requests are queueing: everything up, at once
 * @param why one sentence
 */
public record Target(int warm, int fresh, int ceiling, boolean spike, String why) {}
