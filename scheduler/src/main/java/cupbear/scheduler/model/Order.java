// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.util.Map;

/** A Machine to be made. Its name is its idempotency key: a repeat finds the first one. */
public record Order(
    String name,
    PoolName pool,
    Region region,
    Template template,
    Keep keep,
    Map<String, String> tags) {
  public Order {
    tags = Map.copyOf(tags);
  }
}
