// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import java.util.List;

/** The apps of an organisation. */
public record Apps(int totalApps, List<App> apps) {
  public Apps {
    apps = Absent.list(apps);
  }
}
