// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import java.util.List;

/** What came out of one run. */
record SimResult(
    SimSettings settings,
    long events,
    long checks,
    List<Violation> violations,
    Tally tally,
    FlyRates rates,
    String hash) {}
