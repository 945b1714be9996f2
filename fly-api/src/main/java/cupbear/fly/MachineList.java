// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import cupbear.fly.model.Machine;
import java.io.IOException;
import java.util.List;

/** The list of an app's Machines from the bytes in which Fly sends it. Pure. */
public final class MachineList {
  private MachineList() {}

  /**
   * Reads a list as {@link FlyApp#machines} does, for whoever has the bytes already.
   *
   * @throws IOException when they are no such list
   */
  public static List<Machine> read(byte[] body) throws IOException {
    return FlyJson.readList(body, Machine.class);
  }
}
