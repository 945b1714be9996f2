// SPDX-License-Identifier: Apache-2.0
package cupbear.load.run;

import cupbear.load.report.LoadReport.Mark;
import java.time.Duration;

/** Tells nobody how it goes. */
enum Silent implements LoadRun.Progress {
  HERE;

  @Override
  public void at(String scenario, Duration since, Tally tally, Ledger ledger) {}

  @Override
  public void marked(String scenario, Mark mark) {}
}
