// SPDX-License-Identifier: Apache-2.0
package cupbear.load.dev;

import cupbear.load.stack.OperatorView.RegionView;
import java.util.List;
import java.util.Locale;

/**
 * The pools as a table that is drawn again and again, or as one line where nothing can be redrawn.
 */
final class StatusTable {
  private static final String ROW = "%-6s %4s %5s %8s %8s %8s %6s %5s  %s%n";

  private StatusTable() {}

  static String table(List<RegionView> regions) {
    StringBuilder text = new StringBuilder();
    text.append(
        ROW.formatted(
            "REGION",
            "MIN",
            "WARM",
            "COMING",
            "ASSIGNED",
            "DRAINING",
            "PARKED",
            "QUEUE",
            "LEADER"));
    for (RegionView each : regions) {
      text.append(
          ROW.formatted(
              each.region(),
              each.warmMin(),
              each.count("warm"),
              each.count("coming_up"),
              each.count("assigned"),
              each.count("draining"),
              each.count("parked"),
              each.queue(),
              each.leader() == null ? "-" : each.leader()));
    }
    return text.toString();
  }

  static String line(List<RegionView> regions) {
    StringBuilder text = new StringBuilder();
    for (RegionView each : regions) {
      text.append(
          String.format(
              Locale.ROOT,
              "%s%s %d/%d warm, %d assigned",
              text.isEmpty() ? "" : " · ",
              each.region(),
              each.count("warm"),
              each.warmMin(),
              each.count("assigned")));
    }
    return text.toString();
  }
}
