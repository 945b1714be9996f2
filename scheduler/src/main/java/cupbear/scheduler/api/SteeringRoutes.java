// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.api.Route.Call;
import cupbear.scheduler.app.Fleet;
import cupbear.scheduler.app.PoolSpec;
import cupbear.scheduler.app.Signals;
import cupbear.scheduler.app.Steering;
import cupbear.scheduler.app.Steering.Act;
import cupbear.scheduler.config.CurrentSettings.Outcome;
import cupbear.scheduler.config.Reload;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.security.Permission;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What operators do, and what others announce. */
final class SteeringRoutes {
  private static final Map<Act, Permission> MACHINE_ACTS =
      Map.of(
          Act.DRAIN, Permission.DRAIN,
          Act.CORDON, Permission.CORDON,
          Act.UNCORDON, Permission.UNCORDON);
  private static final Map<Act, Permission> REGION_ACTS =
      Map.of(
          Act.DRAIN, Permission.DRAIN,
          Act.CORDON, Permission.CORDON,
          Act.UNCORDON, Permission.UNCORDON,
          Act.PAUSE, Permission.PAUSE,
          Act.RESUME, Permission.RESUME);

  private final Vertx vertx;
  private final ApiParts parts;
  private final Bodies bodies;
  private final Fleet fleet;
  private final Steering steering;

  SteeringRoutes(Vertx vertx, ApiParts parts, Bodies bodies) {
    this.vertx = vertx;
    this.parts = parts;
    this.bodies = bodies;
    this.fleet = parts.serving().fleet();
    this.steering = parts.serving().steering();
  }

  List<Route> routes() {
    List<Route> routes = new ArrayList<>();
    for (Act act : Act.values()) {
      Permission onMachine = MACHINE_ACTS.get(act);
      Permission onRegion = REGION_ACTS.get(act);
      if (onMachine != null) {
        routes.add(act("/v1/machines/{id}/" + act.word(), onMachine, call -> machine(call, act)));
      }
      if (onRegion != null) {
        String template = "/v1/pools/{pool}/regions/{region}/" + act.word();
        routes.add(act(template, onRegion, call -> region(call, act)));
      }
    }
    routes.add(
        Route.with(
            HttpMethod.POST,
            "/v1/config/reload",
            Permission.RELOAD,
            Route.Body.NONE,
            this::reload));
    routes.add(
        Route.with(
            HttpMethod.POST,
            "/v1/signals",
            Permission.SIGNALS_POST,
            Route.Body.REQUIRED,
            this::signal));
    return routes;
  }

  private static Route act(String template, Permission permission, Route.Handler handler) {
    return Route.with(HttpMethod.POST, template, permission, Route.Body.OPTIONAL, handler);
  }

  private static Steering.By by(Exchange exchange, String reason) {
    return new Steering.By(exchange.caller().name(), exchange.caller().token(), reason);
  }

  static void machineId(Call call, Consumer<MachineId> next) {
    String id = call.path("id");
    if (id.matches("[A-Za-z0-9_-]{1,64}")) next.accept(new MachineId(id));
    else call.exchange().problem(Problem.notFound("Machine with this id"));
  }

  private void machine(Call call, Act act) {
    Exchange exchange = call.exchange();
    machineId(
        call,
        id ->
            asked(
                call,
                (reason, dryRun) ->
                    exchange.then(
                        steering.machine(
                            ListRoutes.mine(fleet, exchange, null),
                            id,
                            act,
                            by(exchange, reason),
                            dryRun),
                        done ->
                            done.ifPresentOrElse(
                                it -> exchange.json(200, done(it)),
                                () ->
                                    exchange.problem(Problem.notFound("Machine with this id"))))));
  }

  private void region(Call call, Act act) {
    Exchange exchange = call.exchange();
    ListRoutes.pool(
        fleet,
        call,
        pool -> {
          String code = call.path("region");
          boolean declared =
              pool.regions().keySet().stream().anyMatch(it -> it.code().equals(code));
          if (!declared) {
            exchange.problem(Problem.notFound("such region in this pool"));
            return;
          }
          asked(
              call,
              (reason, dryRun) ->
                  exchange.then(
                      steering.region(
                          pool.name(), new Region(code), act, by(exchange, reason), dryRun),
                      done -> exchange.json(200, done(done))));
        });
  }

  private interface Asked {
    void with(String reason, boolean dryRun);
  }

  /** Both may be wrong, and then both are said. */
  private void asked(Call call, Asked next) {
    Parsed<Boolean> dryRun = Queries.dryRun(call.query());
    Parsed<String> reason = bodies.act(call.body());
    if (dryRun instanceof Parsed.Good<Boolean> dry && reason instanceof Parsed.Good<String> why) {
      next.with(why.value(), dry.value());
      return;
    }
    List<FieldError> wrong = new ArrayList<>();
    if (dryRun instanceof Parsed.Bad<Boolean> bad) wrong.addAll(bad.errors());
    if (reason instanceof Parsed.Bad<String> bad) wrong.addAll(bad.errors());
    call.exchange().problem(Problem.invalid(wrong));
  }

  private static JsonObject done(Steering.Done done) {
    JsonArray machines = new JsonArray();
    done.machines().forEach(each -> machines.add(each.value()));
    return new JsonObject()
        .put("act", done.act().word())
        .put("applied", done.applied())
        .put("pool", done.pool().value())
        .put("region", done.region().code())
        .put("machines", machines)
        .put("at", Texts.time(done.at()));
  }

  // ---- settings

  private void reload(Call call) {
    Exchange exchange = call.exchange();
    exchange.with(
        Queries.none(call.query()),
        any ->
            // Reads files, so not on an event loop.
            exchange.then(
                vertx.executeBlocking(() -> parts.serving().reload().get()),
                outcome -> reloaded(exchange, outcome)));
  }

  private void reloaded(Exchange exchange, Outcome outcome) {
    switch (outcome) {
      case Outcome.Unchanged any -> exchange.json(200, reloaded(List.of(), List.of()));
      case Outcome.NeedsRestart restart ->
          exchange.json(200, reloaded(List.of(), paths(restart.changes())));
      case Outcome.Swapped swapped -> {
        List<String> changed = paths(swapped.changes());
        // In force already; a journal that cannot be written does not undo it.
        exchange.atEnd(() -> steering.reloaded(by(exchange, ""), changed));
        exchange.json(200, reloaded(changed, List.of()));
      }
      case Outcome.Refused refused ->
          exchange.problem(
              Problem.withErrors(
                  ProblemType.CONFIG_INVALID,
                  "%d mistakes; nothing was changed.".formatted(refused.problems().size()),
                  refused.problems().stream()
                      .map(each ->
                          new FieldError(
                              each.key().isEmpty() ? "file" : each.key(),
                              "%s (%s)".formatted(each.sentence(), each.at())))
                      .toList()));
    }
  }

  private static List<String> paths(List<Reload.Change> changes) {
    return changes.stream().map(Reload.Change::path).toList();
  }

  private JsonObject reloaded(List<String> changed, List<String> needsRestart) {
    return new JsonObject()
        .put("at", Texts.time(parts.clock().instant()))
        .put("changed", new JsonArray(changed))
        .put("needs_restart", new JsonArray(needsRestart));
  }

  // ---- signals

  private void signal(Call call) {
    Exchange exchange = call.exchange();
    exchange.with(
        Queries.none(call.query()),
        any ->
            exchange.with(
                bodies.signal(call.body()),
                ask -> {
                  List<PoolSpec> found = ListRoutes.mine(fleet, exchange, ask.pool());
                  if (found.isEmpty()) {
                    exchange.problem(
                        Problem.invalid("pool", "is not declared, or not for this token"));
                    return;
                  }
                  PoolSpec pool = found.getFirst();
                  Region region = ask.region() == null ? pool.firstRegion() : ask.region();
                  if (!pool.regions().containsKey(region)) {
                    exchange.problem(Problem.invalid("region", "is none of this pool's"));
                    return;
                  }
                  exchange.then(
                      parts
                          .serving()
                          .signals()
                          .take(
                              new Signals.Signal(
                                  ask.source(),
                                  ask.pool(),
                                  region,
                                  ask.perMinute(),
                                  ask.validFor())),
                      until ->
                          exchange.json(
                              202,
                              new JsonObject()
                                  .put("source", ask.source())
                                  .put("valid_until", Texts.time(until))));
                }));
  }
}
