// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

class MemoryWaitingTest extends WaitingContract {
  @Override
  StoreFixture open() {
    return new MemoryFixture();
  }
}
