// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

class MemorySessionsTest extends SessionsContract {
  @Override
  StoreFixture open() {
    return new MemoryFixture();
  }
}
