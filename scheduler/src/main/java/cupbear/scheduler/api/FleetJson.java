// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.app.Fleet;
import cupbear.scheduler.app.RegionBoard;
import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Counts;
import cupbear.scheduler.model.Desired;
import cupbear.scheduler.model.Finding;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.Plan;
import cupbear.scheduler.model.Proof;
import cupbear.scheduler.model.RegionStatus;
import cupbear.scheduler.model.Reserve;
import cupbear.scheduler.model.Target;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;

/** Pools, plans and Machines as answers. */
final class FleetJson {
  private FleetJson() {}

  static JsonObject pool(Fleet.PoolView view) {
    JsonArray regions = new JsonArray();
    view.regions().forEach(each -> regions.add(region(view, each)));
    Desired any = view.spec().regions().values().iterator().next();
    JsonObject json =
        new JsonObject()
            .put("name", view.spec().name().value())
            .put("app", view.spec().app())
            .put("template_version", any.template().version().toString());
    if (!view.spec().labels().isEmpty()) json.put("labels", texts(view.spec().labels()));
    return json.put("regions", regions);
  }

  private static JsonObject region(Fleet.PoolView pool, Fleet.RegionView view) {
    Desired.Bounds bounds = bounds(pool, view);
    JsonObject json =
        new JsonObject()
            .put("region", view.region().code())
            .put("warm_min", bounds.warmMin())
            .put("warm_max", bounds.warmMax());
    view.status().ifPresent(status -> json.put("target", target(status.target())));
    json.put("counts", counts(view.counts()))
        .put("unhealthy", view.unhealthy())
        .put("queue_depth", view.snapshot().waiting());
    view.queueP95().ifPresent(p95 -> json.put("queue_p95_ms", p95.toMillis()));
    json.put("cordoned", view.snapshot().marks().regionCordoned())
        .put("draining", view.snapshot().marks().regionDraining())
        .put("paused", view.snapshot().marks().paused());
    view.leader()
        .ifPresent(leader -> json.put("leader", new JsonObject().put("replica", leader.value())));
    json.put("observed_at", Texts.time(view.snapshot().at()));
    view.status().ifPresent(status -> json.put("passed_at", Texts.time(status.at())));
    view.word().ifPresent(word -> json.put("plan", digest(word)));
    return json.put(
        "findings", findings(view.status().map(RegionStatus::findings).orElse(List.of())));
  }

  private static JsonObject digest(RegionBoard.Word word) {
    JsonArray actions = new JsonArray();
    word.plan()
        .counts()
        .forEach((step, count) ->
            actions.add(
                new JsonObject()
                    .put("action", Texts.word(step.kind()))
                    .put("reason", step.reason().word())
                    .put("count", count)));
    return new JsonObject()
        .put("at", Texts.time(word.at()))
        .put("actions", actions)
        .put("unmet", word.unmet());
  }

  private static Desired.Bounds bounds(Fleet.PoolView pool, Fleet.RegionView view) {
    return java.util.Objects.requireNonNull(pool.spec().regions().get(view.region())).bounds();
  }

  static JsonObject plans(List<Fleet.PlanView> views) {
    JsonArray plans = new JsonArray();
    JsonArray elsewhere = new JsonArray();
    for (Fleet.PlanView view : views) {
      Fleet.Decided decided = view.decided();
      if (decided != null) {
        plans.add(plan(view, decided));
      } else {
        JsonObject json = new JsonObject().put("region", view.region().code());
        view.leader().ifPresent(leader -> json.put("replica", leader.value()));
        elsewhere.add(json);
      }
    }
    JsonObject json = new JsonObject().put("plans", plans);
    return elsewhere.isEmpty() ? json : json.put("elsewhere", elsewhere);
  }

  private static JsonObject plan(Fleet.PlanView view, Fleet.Decided decided) {
    Plan plan = decided.plan();
    JsonArray actions = new JsonArray();
    plan.actions().forEach(each -> actions.add(action(each)));
    return new JsonObject()
        .put("pool", view.pool().value())
        .put("region", view.region().code())
        .put("at", Texts.time(decided.at()))
        .put("target", target(plan.target()))
        .put("counts", counts(plan.counts()))
        .put("actions", actions)
        .put("findings", findings(plan.findings()))
        .put("unmet", plan.unmet())
        .put("partial", plan.partial());
  }

  private static JsonObject action(Action action) {
    JsonObject json =
        new JsonObject()
            .put("action", Texts.word(action.kind()))
            .put("on", action.on())
            .put("reason", action.why().reason().word())
            .put("because", action.why().detail());
    if (action.reserve() != Reserve.NONE) json.put("reserve", Texts.word(action.reserve()));
    if (action instanceof Action.Create create) json.put("keep", Texts.word(create.keep()));
    if (action instanceof Action.Start start) json.put("keep", Texts.word(start.keep()));
    if (action instanceof Action.Retag retag) json.put("tags", texts(retag.tags()));
    return json;
  }

  private static JsonObject target(Target target) {
    return new JsonObject()
        .put("warm", target.warm())
        .put("fresh", target.fresh())
        .put("ceiling", target.ceiling())
        .put("spike", target.spike())
        .put("why", target.why());
  }

  private static JsonObject counts(Counts counts) {
    return new JsonObject()
        .put("warm", counts.warm())
        .put("coming_up", counts.comingUp())
        .put("expected", counts.expected())
        .put("assigned", counts.assigned())
        .put("draining", counts.draining())
        .put("parked", counts.parked())
        .put("condemned", counts.condemned());
  }

  private static JsonArray findings(List<Finding> findings) {
    JsonArray json = new JsonArray();
    findings.forEach(each ->
        json.add(
            new JsonObject()
                .put("finding", each.kind().word())
                .put("alert", each.alert())
                .put("count", each.count())
                .put("detail", each.detail())));
    return json;
  }

  static JsonObject machine(Fleet.MachineView view, boolean withAddress) {
    Booked booked = view.booked();
    JsonObject json =
        new JsonObject()
            .put("id", booked.id().value())
            .put("name", booked.name())
            .put("pool", view.pool().value())
            .put("region", booked.region().code())
            .put("state", booked.state().standing().word())
            .put("since", Texts.time(booked.state().since()));
    if (withAddress && booked.address() != null) json.put("address", booked.address());
    json.put("template_version", booked.template().toString())
        .put("keep", Texts.word(booked.keep()))
        .put("cordoned", view.cordoned())
        .put("leaving", view.leaving());
    if (booked.state() instanceof MachineState.Assigned assigned) {
      json.put("session", assigned.session().value());
    }
    JsonObject health = new JsonObject().put("doubted", view.doubted());
    Proof proof = booked.proof();
    if (proof != null) {
      health
          .put("guacd_proven_at", Texts.time(proof.guacdAt()))
          .put("rdp_proven_at", Texts.time(proof.rdpAt()));
    }
    return json.put("health", health);
  }

  static JsonObject gone(Fleet.GoneView view) {
    return new JsonObject()
        .put("id", view.id().value())
        .put("pool", view.pool().value())
        .put("region", view.region().code())
        .put("state", "gone")
        .put("since", Texts.time(view.story().getLast().at()));
  }

  private static JsonObject texts(Map<String, String> texts) {
    JsonObject json = new JsonObject();
    new java.util.TreeMap<>(texts).forEach(json::put);
    return json;
  }
}
