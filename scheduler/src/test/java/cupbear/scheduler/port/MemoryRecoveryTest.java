// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

class MemoryRecoveryTest extends RecoveryContract {
  @Override
  StoreFixture open() {
    return new MemoryFixture();
  }
}
