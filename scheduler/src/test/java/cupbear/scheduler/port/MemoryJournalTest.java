// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

class MemoryJournalTest extends JournalContract {
  @Override
  StoreFixture open() {
    return new MemoryFixture();
  }
}
