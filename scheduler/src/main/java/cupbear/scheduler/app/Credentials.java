// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.PoolName;
import java.time.Instant;

/** Makes one-time credentials for a Machine that is about to serve. */
public interface Credentials {
  /**
   * @param bootedAt the boot they are for: they are worth nothing in another one
   */
  Made make(PoolName pool, MachineId machine, Instant bootedAt);

  /**
   * Fresh credentials, twice.
   *
   * @param plain what the Machine reads on standard input; never kept, never printed
   * @param sealed the same for the store
   */
  record Made(String plain, String sealed) {
    @Override
    public String toString() {
      return "credentials";
    }
  }
}
