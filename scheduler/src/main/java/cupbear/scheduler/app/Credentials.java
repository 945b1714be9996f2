// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.model.MachineId;

/** Makes one-time credentials for a Machine that is about to serve. */
public interface Credentials {
  Made make(MachineId machine);

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
