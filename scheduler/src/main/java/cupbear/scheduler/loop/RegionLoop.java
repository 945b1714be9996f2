// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import cupbear.scheduler.model.Mandate;
import java.time.Instant;
import java.util.List;
import java.util.function.DoubleSupplier;

/** Owns the soft state of one regional pool. */
public final class RegionLoop {
  public RegionLoop(
      Mandate mandate, Declaration declaration, Memory memory, DoubleSupplier luck) {
    throw new UnsupportedOperationException();
  }

  public List<Effect> on(Event event, Instant now) {
    throw new UnsupportedOperationException();
  }

  /** What the next loop of this regional pool should know. */
  public Memory memory() {
    throw new UnsupportedOperationException();
  }
}
