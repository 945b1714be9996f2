// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

class MemoryBookTest extends BookContract {
  @Override
  StoreFixture open() {
    return new MemoryFixture();
  }
}
