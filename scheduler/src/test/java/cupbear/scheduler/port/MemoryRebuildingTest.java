// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

class MemoryRebuildingTest extends RebuildingContract {
  @Override
  StoreFixture open() {
    return new MemoryFixture();
  }
}
