// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.port.Book;
import cupbear.scheduler.port.Claims;
import cupbear.scheduler.port.Ids;
import cupbear.scheduler.port.Journal;
import cupbear.scheduler.port.Leadership;
import cupbear.scheduler.port.Machines;
import cupbear.scheduler.port.Meters;
import cupbear.scheduler.port.Probes;
import cupbear.scheduler.port.Recovery;
import cupbear.scheduler.port.Time;
import java.util.Map;

/**
 * Everything one replica needs from the world.
 *
 * @param apps Fly's Machines by the name of their app
 */
public record Ports(
    Claims claims,
    Book book,
    Leadership leadership,
    Recovery recovery,
    Journal journal,
    Map<String, Machines> apps,
    Probes probes,
    Credentials credentials,
    Time time,
    Ids ids,
    Meters meters) {
  public Ports {
    apps = Map.copyOf(apps);
  }

  Machines machines(String app) {
    Machines machines = apps.get(app);
    if (machines == null) {
      throw new IllegalArgumentException(
          "no access to the Fly app '%s'; there is one to %s".formatted(app, apps.keySet()));
    }
    return machines;
  }
}
