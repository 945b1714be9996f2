// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

class MemoryLosingTest extends LosingContract {
  @Override
  StoreFixture open() {
    return new MemoryFixture();
  }
}
