// SPDX-License-Identifier: Apache-2.0
package cupbear.load.run;

import cupbear.load.stack.OperatorView;
import cupbear.load.stack.StackPlan.Bounds;
import io.vertx.core.Vertx;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is under load.
 *
 * @param regions that users prefer, by weight; empty for none
 * @param looking whether users connect to guacd
 * @param stage the stack of our own; null when the system is somebody else's
 */
record Target(
    Vertx vertx,
    Gateways gateways,
    OperatorView view,
    String pool,
    List<Bounds> regions,
    boolean looking,
    @Nullable Stage stage) {
  Target {
    regions = List.copyOf(regions);
  }
}
