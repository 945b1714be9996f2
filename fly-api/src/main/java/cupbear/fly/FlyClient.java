// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import cupbear.fly.model.App;
import cupbear.fly.model.Apps;
import cupbear.fly.model.NewApp;
import cupbear.fly.model.OrgMachines;
import cupbear.fly.model.OrgQuery;
import cupbear.fly.model.PlacementQuestion;
import cupbear.fly.model.Placements;
import cupbear.fly.model.Regions;
import cupbear.fly.model.TokenScope;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;

/**
 * The Fly Machines API: one method per endpoint, here for the organisation and the platform, in
 * {@link FlyApp} for an app, in {@link FlyMachine} for a Machine. Every method answers at once with
 * a Future; a failed one carries a {@link FlyException}. Share one client per token: paces, cookies
 * and the breaker belong to it. Safe for use from any thread.
 */
public final class FlyClient {

  private static final Duration LIST = Duration.ofSeconds(20);
  private static final Duration LIST_CALL = Duration.ofSeconds(45);

  /** For tests in this package. */
  final Engine engine;

  private final Terms terms;

  private FlyClient(Engine engine, Terms terms) {
    this.engine = engine;
    this.terms = terms;
  }

  /** For tests that bring their own wire. */
  static FlyClient over(Engine engine) {
    return new FlyClient(engine, Terms.USUAL);
  }

  public static FlyClient create(Vertx vertx, FlyConfig config) {
    return create(vertx, config, FlyTime.of(vertx));
  }

  /**
   * @throws IllegalStateException on a worker or virtual thread, whose context may block
   */
  public static FlyClient create(Vertx vertx, FlyConfig config, FlyTime time) {
    Context context = vertx.getOrCreateContext();
    if (!context.isEventLoopContext()) {
      throw new IllegalStateException(
          "make the Fly client on an event loop or outside Vert.x, not on a worker");
    }
    Engine.OffLoop offLoop =
        new Engine.OffLoop() {
          @Override
          public <T> Future<T> run(Callable<T> work) {
            return vertx.executeBlocking(work, false);
          }
        };
    Engine engine =
        new Engine(
            new HttpWire(vertx, config),
            config,
            time,
            task -> context.runOnContext(v -> task.run()),
            offLoop);
    return new FlyClient(engine, Terms.USUAL);
  }

  /** The same client with that much time for each call, waiting and repeating included. */
  public FlyClient within(Duration time) {
    return new FlyClient(engine, terms.within(time));
  }

  /** The same client with calls that go first. */
  public FlyClient urgent() {
    return new FlyClient(engine, terms.urgency(Urgency.URGENT));
  }

  public FlyApp app(String name) {
    return new FlyApp(engine, terms, name);
  }

  public Future<Apps> apps(String orgSlug) {
    return engine.run(
        new Call<>(Action.LIST_APPS, "", "", Read.as(Apps.class))
            .get(Uri.of("apps").with("org_slug", orgSlug))
            .taking(LIST, LIST_CALL)
            .on(terms));
  }

  /** Found by its name when the answer is lost. */
  public Future<App> createApp(NewApp order) {
    // Fly answers with an id and a time only.
    Call.Reader<App> reader = body -> FlyJson.read(body, App.class).orNamed(order.name());
    Call<App> call =
        new Call<>(Action.CREATE_APP, order.name(), "", reader)
            .request("POST", Uri.of("apps"))
            .sending(order)
            .orLook((left, failure) -> new FlyApp(engine, left, order.name()).lookUp())
            .on(terms);
    return engine.run(call);
  }

  /** One page of all Machines of an organisation, by time of change; go on with its cursor. */
  public Future<OrgMachines> machines(String orgSlug, OrgQuery query) {
    Uri where =
        Uri.of("orgs", orgSlug, "machines")
            .with("region", query.region())
            .with(
                "updated_after",
                query.updatedAfter().equals(Instant.EPOCH) ? "" : query.updatedAfter().toString())
            .with("cursor", query.cursor())
            .with("limit", query.limit() == 0 ? "" : Integer.toString(query.limit()))
            .with("include_deleted", query.includeDeleted());
    Call<OrgMachines> call =
        new Call<>(Action.LIST_ORG_MACHINES, "", "", Read.as(OrgMachines.class))
            .get(where)
            .taking(LIST, LIST_CALL)
            .on(terms);
    call.paceBy = orgSlug;
    return engine.run(call);
  }

  public Future<Regions> regions() {
    return engine.run(
        new Call<>(Action.LIST_REGIONS, "", "", Read::regions)
            .get(Uri.of("platform", "regions"))
            .on(terms));
  }

  /** A hint on capacity, not a reservation. */
  public Future<Placements> placements(PlacementQuestion question) {
    return engine.run(
        new Call<>(Action.ASK_PLACEMENTS, "", "", Read.as(Placements.class))
            .request("POST", Uri.of("platform", "placements"))
            .sending(question)
            .on(terms));
  }

  /** What the token in use is good for. */
  public Future<TokenScope> currentToken() {
    return engine.run(
        new Call<>(Action.CURRENT_TOKEN, "", "", Read.as(TokenScope.class))
            .get(Uri.of("tokens", "current"))
            .on(terms));
  }

  /** Turns away what waits, and closes the connections. */
  public Future<Void> close() {
    return engine.close();
  }
}
