// SPDX-License-Identifier: Apache-2.0
package cupbear.load.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import cupbear.flysim.FlySimConfig;
import cupbear.gateway.Cupbear;
import cupbear.gateway.SessionRequest;
import cupbear.load.stack.LocalStack;
import cupbear.load.stack.OperatorView.MachineView;
import cupbear.load.stack.OperatorView.RegionView;
import cupbear.load.stack.SchedulerProcess;
import cupbear.load.stack.StackPlan;
import cupbear.load.viewer.Viewing;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.NetClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A stack, viewers who look at desktops through it, and eyes on every side of it: the operator's,
 * the simulator's own truth, the store. Whatever is awaited has a bound that is only ever reached
 * when it will never come. The test's thread.
 */
final class Rig {
  /** Fast where the platform is concerned; the scheduler looks more often than it would. */
  static final StackPlan PLAN =
      StackPlan.DEMO
          .withSpeed(20)
          .withPace(20)
          .withMore(
              """
              reconcile: {every: 1s}
              health: {guacd_every: 1s, rdp_every: 5s, host_grace: 2s}
              recycle: {lost_grace: 2s}
              """);

  private static final Duration SOON = Duration.ofSeconds(90);
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);
  private static final Duration CALL_WITHIN = Duration.ofSeconds(45);
  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

  private final LocalStack stack;
  private final NetClient net;
  private final List<Cupbear> gateways = new ArrayList<>();
  private final Ledger ledger = new Ledger();
  private final Wire wire;

  private Rig(LocalStack stack) {
    this.stack = stack;
    this.wire = new Wire(HTTP, stack.gatewayToken());
    this.net = stack.vertx().createNetClient();
    gateways.add(gateway(stack.schedulers()));
  }

  static Rig start(StackPlan plan) throws IOException, InterruptedException {
    return new Rig(LocalStack.start(plan));
  }

  LocalStack stack() {
    return stack;
  }

  Ledger ledger() {
    return ledger;
  }

  Wire wire() {
    return wire;
  }

  // ---- waiting

  void until(String what, Callable<Boolean> holds) {
    await(what).atMost(SOON).pollDelay(Duration.ZERO).pollInterval(LOOK_EVERY).until(holds);
  }

  static <T> T get(Future<T> future) throws InterruptedException {
    try {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .get(CALL_WITHIN.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError(String.valueOf(e.getCause()), e);
    } catch (TimeoutException e) {
      throw new AssertionError("no answer within " + CALL_WITHIN, e);
    }
  }

  // ---- gateways and viewers

  private Cupbear gateway(List<SchedulerProcess> schedulers) {
    var builder = Cupbear.builder().vertx(stack.vertx()).token(stack.gatewayToken());
    schedulers.stream().map(SchedulerProcess::api).forEach(builder::url);
    return builder.deadline(CALL_WITHIN).build();
  }

  /** From now on new viewers come through a gateway that knows the schedulers of now. */
  void reconnect() {
    gateways.add(gateway(stack.schedulers()));
  }

  /** A viewer whose gateway asks these schedulers in this order. */
  Future<Viewing> lookThrough(List<SchedulerProcess> schedulers, SessionRequest request) {
    Cupbear gateway = gateway(schedulers);
    gateways.add(gateway);
    return look(gateway, request);
  }

  /** A viewer who has the desktop before them. */
  Viewing look(String pool, String... regions) throws InterruptedException {
    return get(begin(pool, regions));
  }

  Future<Viewing> begin(String pool, String... regions) {
    SessionRequest wish = SessionRequest.of(pool).waiting(Duration.ofSeconds(30));
    return look(gateways.getLast(), regions.length == 0 ? wish : wish.in(regions));
  }

  private Future<Viewing> look(Cupbear gateway, SessionRequest request) {
    return gateway
        .acquire(request)
        .compose(session -> {
          String machine = session.grant().machine().id();
          ledger.granted(machine, session.id());
          return Viewing.begin(net, session)
              .onSuccess(ledger::looking)
              .onFailure(failed -> ledger.notServed(machine, session.id(), failed));
        });
  }

  /** The viewer closes the window. */
  void leave(Viewing viewing) throws InterruptedException {
    get(begone(viewing));
  }

  Future<Void> begone(Viewing viewing) {
    ledger.left(viewing);
    return viewing.end();
  }

  /** The same session on the Machine that it was given instead. */
  Viewing follow(Viewing before) throws InterruptedException {
    ledger.left(before);
    ledger.granted(machineOf(before), before.session().id());
    Viewing after = get(Viewing.begin(net, before.session()));
    ledger.looking(after);
    return after;
  }

  static String machineOf(Viewing viewing) {
    return viewing.session().grant().machine().id();
  }

  // ---- the operator's eyes

  List<RegionView> regions(String pool) throws InterruptedException {
    return stack.view().regions().orElse(List.of()).stream()
        .filter(each -> each.pool().equals(pool))
        .toList();
  }

  /** All regions of the pool have a leader and at least warm_min. */
  void whole(String pool) {
    until(
        pool + " is whole",
        () -> {
          List<RegionView> regions = regions(pool);
          return !regions.isEmpty() && regions.stream().allMatch(RegionView::isWhole);
        });
  }

  List<MachineView> machines(String pool) throws InterruptedException {
    return stack.view().machines().orElse(List.of()).stream()
        .filter(each -> each.pool().equals(pool))
        .toList();
  }

  Set<String> ids(String pool, String... states) throws InterruptedException {
    return machines(pool).stream()
        .filter(each -> states.length == 0 || List.of(states).contains(each.state()))
        .map(MachineView::id)
        .collect(Collectors.toCollection(HashSet::new));
  }

  /** Waits until the Machine stands so. */
  void stands(String machine, String pool, String... states) {
    until(
        machine + " is " + String.join(" or ", states), () -> ids(pool, states).contains(machine));
  }

  void gone(String machine, String pool) {
    until(machine + " has left the book", () -> !ids(pool).contains(machine));
    until(machine + " is destroyed at Fly", () -> !running().contains(machine));
  }

  boolean finds(String pool, String region, String finding) throws InterruptedException {
    return regions(pool).stream()
        .filter(each -> each.region().equals(region))
        .flatMap(each -> each.findings().stream())
        .anyMatch(each -> ((JsonObject) each).getString("finding").equals(finding));
  }

  /** The scheduler that leads this regional pool; waits for one. */
  SchedulerProcess leader(String pool, String region) {
    until(pool + " in " + region + " is led", () -> leads(pool, region) != null);
    return java.util.Objects.requireNonNull(leads(pool, region));
  }

  private @org.jspecify.annotations.Nullable SchedulerProcess leads(String pool, String region) {
    try {
      Set<String> leaders =
          regions(pool).stream()
              .filter(each -> each.region().equals(region) && each.leader() != null)
              .map(each -> String.valueOf(each.leader()))
              .collect(Collectors.toSet());
      return stack.schedulers().stream()
          .filter(each -> leaders.contains(each.replica()))
          .findFirst()
          .orElse(null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** Nobody leads this pool but others than the one named. */
  void ledByOthers(SchedulerProcess than, String pool) {
    until(
        pool + " is led by others than " + than.replica(),
        () -> {
          List<RegionView> regions = regions(pool);
          Predicate<RegionView> byAnother =
              each -> each.leader() != null && !than.replica().equals(each.leader());
          return !regions.isEmpty() && regions.stream().allMatch(byAnother);
        });
  }

  // ---- the simulator's truth

  List<JsonObject> truth() throws IOException, InterruptedException {
    String url = stack.fly().url() + "/sim/machines";
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).timeout(CALL_WITHIN).build();
    String body = HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
    return new JsonArray(body).stream().map(JsonObject.class::cast).toList();
  }

  JsonObject truth(String machine) throws IOException, InterruptedException {
    return truth().stream()
        .filter(each -> each.getString("id").equals(machine))
        .findFirst()
        .orElseGet(() -> new JsonObject().put("state", "destroyed"));
  }

  /** Those that Fly has of a pool, whatever their state. */
  Set<String> atFly(String pool) throws IOException, InterruptedException {
    return truth().stream()
        .filter(each -> !isGone(each))
        .filter(each -> pool.equals(metadata(each).getString("pool")))
        .map(each -> each.getString("id"))
        .collect(Collectors.toCollection(HashSet::new));
  }

  private Set<String> running() throws IOException, InterruptedException {
    return truth().stream()
        .filter(each -> !isGone(each))
        .map(each -> each.getString("id"))
        .collect(Collectors.toSet());
  }

  private static boolean isGone(JsonObject machine) {
    return machine.getString("state").startsWith("destroy");
  }

  static JsonObject metadata(JsonObject machine) {
    return machine.getJsonObject("config", new JsonObject()).getJsonObject("metadata", NOTHING);
  }

  private static final JsonObject NOTHING = new JsonObject();

  String tag(String machine, String key) throws IOException, InterruptedException {
    return metadata(truth(machine)).getString(key, "");
  }

  // ---- Fly, as somebody else uses it

  JsonObject fly(String method, String path, JsonObject body)
      throws IOException, InterruptedException {
    String url = stack.fly().url() + "/v1/apps/" + FlySimConfig.APP + "/machines" + path;
    HttpResponse<String> answer =
        HTTP.send(
            HttpRequest.newBuilder(URI.create(url))
                .timeout(CALL_WITHIN)
                .header("Authorization", "Bearer " + FlySimConfig.TOKEN)
                .method(method, BodyPublishers.ofString(body.encode()))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as("%s %s: %s", method, path, answer.body()).isLessThan(300);
    return answer.body().startsWith("{") ? new JsonObject(answer.body()) : new JsonObject();
  }

  /** The exit code of a command inside the Machine. */
  int exec(String machine, String... command) throws IOException, InterruptedException {
    JsonObject body = new JsonObject().put("command", new JsonArray(List.of(command)));
    return fly("POST", "/" + machine + "/exec", body).getInteger("exit_code", 0);
  }

  // ---- settings

  /** Declares this and has every scheduler read it, as {@code cupbear reload} does. */
  void declare(StackPlan next) throws IOException, InterruptedException {
    stack.declare(next);
    for (SchedulerProcess each : stack.schedulers()) wire.reload(each, stack.operatorToken());
  }

  /** Ends viewers, gateways and everything they ran on. */
  void close() throws InterruptedException {
    for (Cupbear each : gateways) get(each.shutdown());
    get(net.close());
    stack.close();
  }
}
