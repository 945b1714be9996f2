// SPDX-License-Identifier: Apache-2.0
/**
 * Traces in our own words: what the request path and the loops say about a piece of work as it goes
 * on. Two small interfaces that do nothing, and cost nothing, unless somebody listens.
 */
@NullMarked
package cupbear.scheduler.trace;

import org.jspecify.annotations.NullMarked;
