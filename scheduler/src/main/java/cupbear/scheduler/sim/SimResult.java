// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import java.util.List;

/** What came out of one run. Holds figures only: with the world itself a thousand fill a heap. */
record SimResult(
    SimSettings settings,
    long events,
    long checks,
    List<Violation> violations,
    Tally tally,
    FlyRates.Calls calls,
    String hash) {}
