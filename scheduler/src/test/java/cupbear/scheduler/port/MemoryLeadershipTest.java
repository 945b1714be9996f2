// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

class MemoryLeadershipTest extends LeadershipContract {
  @Override
  StoreFixture open() {
    return new MemoryFixture();
  }
}
