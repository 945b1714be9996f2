// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.contract;

import cupbear.fly.Action;
import cupbear.fly.BreakerRule;
import cupbear.fly.FlyApp;
import cupbear.fly.FlyClient;
import cupbear.fly.FlyConfig;
import cupbear.fly.FlyException;
import cupbear.fly.FlyFailure;
import cupbear.fly.FlyHooks;
import cupbear.fly.FlyMachine;
import cupbear.fly.Rate;
import cupbear.fly.RetryRule;
import cupbear.fly.model.CreateMachine;
import cupbear.fly.model.Machine;
import cupbear.fly.model.MachineConfig;
import cupbear.fly.model.Restart;
import cupbear.fly.model.Secret;
import cupbear.fly.model.WaitFor;
import cupbear.flysim.FlySim;
import cupbear.flysim.FlySimConfig;
import cupbear.flysim.NoViewers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/**
 * The client and the simulator face to face over a loopback socket. Nothing happens by chance, the
 * platform works a thousand times as fast, and the client pauses for milliseconds; what it repeats
 * and what it gives up stays as it is. For one test thread.
 */
final class Meeting implements AutoCloseable {

  // Bounds for a hanging test, not expectations.
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  static final MachineConfig CONFIG =
      MachineConfig.of("registry.example/viewer:1")
          .restart(Restart.NO)
          .metadata("role", "pool")
          .build();

  private static final String NO_CHANCE =
      """
      {"switches": {"stuck_created_rate": 0, "cold_resume_rate": 0, "cold_image_first": false,
                    "rate_limits": false},
       "latencies": {"get_lag": {"p50_ms": 0, "p95_ms": 0},
                     "list_lag": {"p50_ms": 0, "p95_ms": 0}}}
      """;

  /** Four attempts, pauses of milliseconds, half a second for what passes by itself. */
  static final RetryRule BRISK =
      new RetryRule(
          4,
          Duration.ofMillis(2),
          Duration.ofMillis(20),
          Duration.ofMillis(20),
          Duration.ofMillis(5),
          Duration.ofMillis(500));

  /** More than all would have to fail. */
  static final BreakerRule NEVER =
      new BreakerRule(64, 64, 1.1, Duration.ofSeconds(5), Duration.ofSeconds(5));

  /** One call of the client that is over. */
  record Call(Action action, FlyHooks.Ending ending) {}

  final Vertx vertx = Vertx.vertx();
  final FlySim sim;
  final FlyClient fly;
  final FlyApp app;
  private final ConcurrentLinkedQueue<Call> calls = new ConcurrentLinkedQueue<>();
  private final Map<Integer, AtomicInteger> statuses = new ConcurrentHashMap<>();
  private final List<FlyClient> clients = new ArrayList<>();
  private int names;

  Meeting() throws Exception {
    this(FlySimConfig.standard().withViewers(NoViewers::new), config -> config);
  }

  Meeting(FlySimConfig base, UnaryOperator<FlyConfig> changes) throws Exception {
    sim = value(FlySim.start(vertx, base.withSpeed(1_000).withPreset(NO_CHANCE)));
    fly = client(sim.url(), FlySimConfig.TOKEN, changes);
    app = fly.app(FlySimConfig.APP);
  }

  /** Another client, perhaps with another token, address or temper. */
  FlyClient client(String url, String token, UnaryOperator<FlyConfig> changes) {
    FlyConfig config =
        FlyConfig.of(URI.create(url), () -> Secret.of(token))
            .pacing(FlyConfig.Pacing.USUAL.usual(new Rate(1_000, 100)))
            .retry(BRISK)
            .breaker(NEVER)
            .hooks(new Listener());
    FlyClient client = FlyClient.create(vertx, changes.apply(config));
    clients.add(client);
    return client;
  }

  private final class Listener implements FlyHooks {
    @Override
    public CallHook started(CallInfo call) {
      return new CallHook() {
        @Override
        public void answered(int number, int status, Duration onWire) {
          statuses.computeIfAbsent(status, s -> new AtomicInteger()).incrementAndGet();
        }

        @Override
        public void ended(Ending ending) {
          calls.add(new Call(call.action(), ending));
        }
      };
    }
  }

  static <T> T value(Future<T> future) throws TimeoutException {
    return future.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  /** Why it failed; an error when it did not, or failed otherwise than through Fly. */
  static FlyFailure failure(Future<?> future) throws TimeoutException {
    try {
      Object value = future.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      throw new AssertionError("no failure, but " + value);
    } catch (FlyException refused) {
      return refused.failure();
    }
  }

  static <F extends FlyFailure> F failure(Class<F> kind, Future<?> future) throws TimeoutException {
    FlyFailure failure = failure(future);
    if (!kind.isInstance(failure)) {
      throw new AssertionError("not " + kind.getSimpleName() + " but " + failure.sentence());
    }
    return kind.cast(failure);
  }

  String name() {
    return "m-" + ++names;
  }

  CreateMachine order() {
    return CreateMachine.of(name(), "iad", CONFIG);
  }

  /** Sets a fault: a kind, and what else belongs to it as JSON without braces. */
  void fault(String kind, String more) throws TimeoutException {
    String comma = more.isEmpty() ? "" : ",";
    value(sim.faults().set(new JsonObject("{\"kind\":\"" + kind + "\"" + comma + more + "}")));
  }

  void calm() throws TimeoutException {
    value(sim.faults().clearAll());
    forget();
  }

  /** A Machine that runs. */
  FlyMachine running() throws TimeoutException {
    return made(order(), "started");
  }

  /** A Machine that waits to be started. */
  FlyMachine parked() throws TimeoutException {
    return made(order().stopped(), "stopped");
  }

  FlyMachine made(CreateMachine order, String state) throws TimeoutException {
    FlyMachine machine = app.machine(value(app.create(order)).machine().id());
    value(machine.waitFor(WaitFor.anyOf(state)));
    return machine;
  }

  static Machine now(FlyMachine machine) throws TimeoutException {
    return value(machine.get());
  }

  void forget() {
    calls.clear();
    statuses.clear();
  }

  /** How the last call of this kind ended. */
  FlyHooks.Ending ending(Action action) {
    return calls.stream()
        .filter(call -> call.action() == action)
        .map(Call::ending)
        .reduce((earlier, later) -> later)
        .orElseThrow(() -> new AssertionError(action + " was not called, but " + calls));
  }

  boolean called(Action action) {
    return calls.stream().anyMatch(call -> call.action() == action);
  }

  List<Call> calls() {
    return List.copyOf(calls);
  }

  /** How many answers came with this status; 0 stands for no answer. */
  int answers(int status) {
    return statuses.getOrDefault(status, new AtomicInteger()).get();
  }

  /** How many requests of this kind the simulator has seen, by its own count and names. */
  int arrived(String simAction) throws TimeoutException {
    return value(sim.faults().info()).getJsonObject("calls").getInteger(simAction, 0);
  }

  /** Every Machine there is, without lag and whatever faults say. */
  List<JsonObject> truth() throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(sim.url() + "/sim/machines")).build();
      String body = http.send(request, BodyHandlers.ofString()).body();
      return new JsonArray(body).stream().map(JsonObject.class::cast).toList();
    }
  }

  /** By the simulator's own word, in its error for one that is not there. */
  List<String> faultKinds() throws TimeoutException {
    try {
      fault("?", "");
      throw new AssertionError("a fault that does not exist was accepted");
    } catch (IllegalArgumentException refused) {
      String words = String.valueOf(refused.getMessage()).toLowerCase(Locale.ROOT);
      String list = words.substring(words.indexOf('[') + 1, words.indexOf(']'));
      return List.of(list.split(", ", -1));
    }
  }

  @Override
  public void close() throws TimeoutException {
    for (FlyClient client : clients) {
      value(client.close());
    }
    value(sim.close());
    value(vertx.close());
  }
}
