// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

class MemoryMarksTest extends MarksContract {
  @Override
  StoreFixture open() {
    return new MemoryFixture();
  }
}
