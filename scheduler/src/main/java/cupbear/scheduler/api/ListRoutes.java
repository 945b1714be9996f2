// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.api.Route.Call;
import cupbear.scheduler.app.Assignments;
import cupbear.scheduler.app.Fleet;
import cupbear.scheduler.app.PoolSpec;
import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.SessionView;
import cupbear.scheduler.security.Permission;
import cupbear.scheduler.security.Permissions;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sessions, pools, plans and Machines, to look at. */
final class ListRoutes {
  private final Assignments assignments;
  private final Fleet fleet;
  private final Grants grants;

  ListRoutes(ApiParts parts, Grants grants) {
    this.assignments = parts.serving().assignments();
    this.fleet = parts.serving().fleet();
    this.grants = grants;
  }

  List<Route> routes() {
    return List.of(
        Route.get("/v1/sessions", Permission.SESSION_GET, this::sessions),
        Route.get("/v1/sessions/{id}", Permission.SESSION_GET, this::session),
        Route.get("/v1/pools", Permission.POOLS_READ, this::pools),
        Route.get("/v1/pools/{pool}", Permission.POOLS_READ, this::pool),
        Route.get("/v1/pools/{pool}/plan", Permission.PLAN_READ, this::plan),
        Route.get("/v1/machines", Permission.MACHINES_READ, this::machines),
        Route.get("/v1/machines/{id}", Permission.MACHINES_READ, this::machine));
  }

  // ---- sessions

  private void sessions(Call call) {
    Exchange exchange = call.exchange();
    exchange.with(
        Queries.sessions(call.query()),
        page -> {
          Caller owner = call.ownOnly() ? SessionRoutes.owner(exchange) : null;
          List<Future<List<SessionView>>> asked =
              mine(fleet, exchange, page.pool()).stream()
                  .map(pool -> assignments.list(pool.name(), owner))
                  .toList();
          exchange.then(
              Future.all(asked),
              all -> {
                List<SessionView> wanted =
                    all.<List<SessionView>>list().stream()
                        .flatMap(List::stream)
                        .filter(each -> isWanted(each, page))
                        .sorted(Comparator.comparing(ListRoutes::sessionKey).reversed())
                        .filter(each -> isBefore(sessionKey(each), page.after()))
                        .toList();
                boolean addresses = seesAddresses(exchange);
                exchange.json(
                    200,
                    page(
                        "sessions",
                        wanted,
                        page.limit(),
                        ListRoutes::sessionKey,
                        each -> grants.view(each, addresses)));
              });
        });
  }

  private static boolean isWanted(SessionView view, Queries.Page<SessionView.Stage> page) {
    Grant grant = view.grant();
    return grant != null
        && (page.state() == null || view.stage() == page.state())
        && (page.region() == null || grant.region().equals(page.region()));
  }

  /** By time of the grant, then by id; as text, so that it can be a cursor. */
  private static String sessionKey(SessionView view) {
    Grant grant = java.util.Objects.requireNonNull(view.grant());
    return "%014d.%s".formatted(grant.grantedAt().toEpochMilli(), view.session());
  }

  private static boolean isBefore(String key, @Nullable String after) {
    return after == null || key.compareTo(after) < 0;
  }

  private static boolean seesAddresses(Exchange exchange) {
    return Permissions.reach(exchange.caller().role(), Permission.ADDRESSES_READ)
        != Permissions.Reach.NONE;
  }

  private void session(Call call) {
    Exchange exchange = call.exchange();
    exchange.with(
        Queries.none(call.query()),
        any -> {
          Optional<LeaseRoutes.Named> it = LeaseRoutes.Named.in(call, fleet.pools());
          if (it.isEmpty()) {
            exchange.problem(LeaseRoutes.noSession());
            return;
          }
          LeaseRoutes.Named named = it.get();
          exchange.then(
              assignments.get(named.pool(), named.session(), named.owner()),
              found ->
                  found
                      .filter(view -> view.grant() != null)
                      .ifPresentOrElse(
                          view -> exchange.json(200, grants.view(view, seesAddresses(exchange))),
                          () -> exchange.problem(LeaseRoutes.noSession())));
        });
  }

  // ---- pools

  /** The declared pools that this token may touch; of them the named one, if one is. */
  static List<PoolSpec> mine(Fleet fleet, Exchange exchange, @Nullable PoolName only) {
    return fleet.pools().all().values().stream()
        .filter(pool -> only == null || pool.name().equals(only))
        .filter(pool -> exchange.caller().mayTouch(pool.name()))
        .toList();
  }

  /** The pool that a path names. */
  static void pool(Fleet fleet, Call call, Consumer<PoolSpec> next) {
    Exchange exchange = call.exchange();
    mine(fleet, exchange, null).stream()
        .filter(pool -> pool.name().value().equals(call.path("pool")))
        .findFirst()
        .ifPresentOrElse(next, () -> exchange.problem(Problem.notFound("pool with this name")));
  }

  private void pools(Call call) {
    Exchange exchange = call.exchange();
    exchange.with(
        Queries.none(call.query()),
        any -> {
          List<Future<Fleet.PoolView>> asked =
              mine(fleet, exchange, null).stream().map(fleet::pool).toList();
          exchange.then(
              Future.all(asked),
              all -> {
                JsonArray pools = new JsonArray();
                all.<Fleet.PoolView>list().forEach(each -> pools.add(FleetJson.pool(each)));
                exchange.json(200, new JsonObject().put("pools", pools));
              });
        });
  }

  private void pool(Call call) {
    Exchange exchange = call.exchange();
    exchange.with(
        Queries.none(call.query()),
        any ->
            pool(
                fleet,
                call,
                spec ->
                    exchange.then(
                        fleet.pool(spec), view -> exchange.json(200, FleetJson.pool(view)))));
  }

  private void plan(Call call) {
    Exchange exchange = call.exchange();
    exchange.with(
        Queries.region(call.query()),
        region ->
            pool(
                fleet,
                call,
                spec -> {
                  if (region.isPresent() && !spec.regions().containsKey(region.get())) {
                    exchange.problem(Problem.notFound("such region in this pool"));
                    return;
                  }
                  exchange.then(
                      fleet.plans(spec, region.orElse(null)),
                      plans -> exchange.json(200, FleetJson.plans(plans)));
                }));
  }

  // ---- Machines

  private void machines(Call call) {
    Exchange exchange = call.exchange();
    exchange.with(
        Queries.machines(call.query()),
        page ->
            exchange.then(
                fleet.machines(mine(fleet, exchange, page.pool())),
                all -> {
                  List<Fleet.MachineView> wanted =
                      all.stream()
                          .filter(each -> isWanted(each, page))
                          .sorted(Comparator.comparing(ListRoutes::machineKey))
                          .filter(each ->
                              page.after() == null || machineKey(each).compareTo(page.after()) > 0)
                          .toList();
                  boolean addresses = seesAddresses(exchange);
                  exchange.json(
                      200,
                      page(
                          "machines",
                          wanted,
                          page.limit(),
                          ListRoutes::machineKey,
                          each -> FleetJson.machine(each, addresses)));
                }));
  }

  private static boolean isWanted(
      Fleet.MachineView view, Queries.Page<cupbear.scheduler.model.Standing> page) {
    return (page.state() == null || view.booked().state().standing() == page.state())
        && (page.region() == null || view.booked().region().equals(page.region()));
  }

  private static String machineKey(Fleet.MachineView view) {
    return "%s/%s/%s".formatted(view.pool(), view.booked().region(), view.booked().id());
  }

  private void machine(Call call) {
    Exchange exchange = call.exchange();
    exchange.with(
        Queries.none(call.query()),
        any ->
            SteeringRoutes.machineId(
                call,
                id ->
                    exchange.then(
                        fleet.machine(mine(fleet, exchange, null), id),
                        found -> {
                          if (found.isPresent()) story(exchange, found.get());
                          else gone(exchange, id);
                        })));
  }

  private void story(Exchange exchange, Fleet.MachineView view) {
    exchange.then(
        fleet.story(view.pool(), view.booked().id()),
        entries ->
            exchange.json(
                200,
                FleetJson.machine(view, seesAddresses(exchange))
                    .put("story", Events.story(entries))));
  }

  /** What happened to one that is not there any more is asked most of all. */
  private void gone(Exchange exchange, MachineId id) {
    exchange.then(
        fleet.gone(mine(fleet, exchange, null), id),
        found ->
            found.ifPresentOrElse(
                view ->
                    exchange.json(
                        200, FleetJson.gone(view).put("story", Events.story(view.story()))),
                () -> exchange.problem(Problem.notFound("Machine with this id"))));
  }

  // ---- pages

  private static <T> JsonObject page(
      String name,
      List<T> wanted,
      int limit,
      Function<T, String> key,
      Function<T, JsonObject> json) {
    List<T> shown = wanted.subList(0, Math.min(limit, wanted.size()));
    JsonArray items = new JsonArray();
    shown.forEach(each -> items.add(json.apply(each)));
    JsonObject page = new JsonObject().put(name, items);
    return shown.size() == wanted.size()
        ? page
        : page.put("next_cursor", Queries.cursorOf(key.apply(shown.getLast())));
  }
}
