// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.fly;

import cupbear.fly.MachineList;
import cupbear.scheduler.model.Listed;
import java.io.IOException;
import java.util.List;

/** Fly's list of an app, from its bytes to our words: what each pass begins with. Pure. */
public final class FlyList {
  private FlyList() {}

  /**
   * Reads what {@link FlyMachines#list} makes of an answer with these bytes.
   *
   * @param managedBy what a Machine's tag says when it is ours
   * @throws IOException when they are no such list
   */
  public static List<Listed> read(byte[] body, String managedBy) throws IOException {
    return new Sight(managedBy).ofAll(MachineList.read(body));
  }
}
