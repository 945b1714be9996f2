// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

class MemoryClaimsTest extends ClaimsContract {
  @Override
  StoreFixture open() {
    return new MemoryFixture();
  }
}
