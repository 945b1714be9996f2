// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.security.Permissions;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;

/** The one table of everything that can be asked; a test holds docs/openapi.yaml against it. */
final class Routes {
  private Routes() {}

  /** The most asked for first: they are tried in this order. */
  static List<Route> api(
      Vertx vertx, ApiConfig config, ApiParts parts, InFlight inFlight, Pages pages) {
    Bodies bodies = new Bodies(config.limits().depth());
    Grants grants = new Grants(parts.serving().fleet().pools(), parts.trusting());
    SessionRoutes sessions = new SessionRoutes(parts, bodies, grants);
    List<Route> routes = new ArrayList<>();
    routes.addAll(sessions.routes());
    routes.addAll(new LeaseRoutes(parts, bodies, grants, sessions).routes());
    routes.addAll(new ListRoutes(parts, grants).routes());
    routes.addAll(new SteeringRoutes(vertx, parts, bodies).routes());
    routes.addAll(new EventRoutes(vertx, parts, inFlight, config.streamsMost()).routes());
    routes.addAll(pages.routes());
    return List.copyOf(routes);
  }

  /** Whether a drain has to wait for it. */
  static boolean isWork(Route route) {
    return !Permissions.isOpen(route.permission());
  }
}
