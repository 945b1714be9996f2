// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.model.StoreRules;

class MemoryGatewayWalkIT extends GatewayWalk {
  @Override
  Store store() {
    return Store.memory(StoreRules.DEFAULT);
  }
}
