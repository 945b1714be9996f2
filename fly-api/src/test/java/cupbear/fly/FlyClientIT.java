// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import static cupbear.fly.FakeFly.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import cupbear.fly.FlyFailure.TimedOut;
import cupbear.fly.FlyFailure.Unavailable;
import cupbear.fly.FlyFailure.Unreachable;
import cupbear.fly.FlyFailure.Unreadable;
import cupbear.fly.model.CreateMachine;
import cupbear.fly.model.Created;
import cupbear.fly.model.Machine;
import cupbear.fly.model.MachineConfig;
import cupbear.fly.model.MachineFilter;
import cupbear.fly.model.Secret;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** The client over real sockets, against a server that misbehaves on purpose. */
class FlyClientIT {

  private static final CreateMachine ORDER =
      CreateMachine.of("wp-1", "iad", MachineConfig.of("img@sha256:1").build());
  private static final Duration MINUTES = Duration.ofMinutes(10);

  private Vertx vertx = Vertx.vertx();
  private Context loop = vertx.getOrCreateContext();
  private JumpTime time = new JumpTime(loop);
  private FakeFly fly;
  private final List<FlyClient> clients = new ArrayList<>();

  @BeforeEach
  void open() throws Exception {
    fly = new FakeFly(vertx);
  }

  @AfterEach
  void close() throws Exception {
    for (FlyClient client : clients) {
      client.close().await(10, TimeUnit.SECONDS);
    }
    fly.close();
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  /** Cuts the connection, or answers what hides the success, after the Machine was made. */
  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"reset", "408", "504", "garbled"})
  void aLostCreateAnswerMakesOneMachine(String loss) throws Exception {
    Map<String, String> made = new ConcurrentHashMap<>();
    fly.handler =
        (request, body) -> {
          if (request.method().name().equals("GET")) {
            String all =
                made.entrySet().stream()
                    .map(each -> Desk.machine(each.getValue(), each.getKey(), "created"))
                    .collect(Collectors.joining(",", "[", "]"));
            answer(request, 200, all);
            return;
          }
          String name = new JsonObject(body).getString("name");
          made.merge(name, "id" + made.size(), (old, again) -> old + "-doubled");
          switch (loss) {
            case "reset" -> request.connection().close();
            case "garbled" -> answer(request, 200, "{\"id\":\"id0\",");
            default -> answer(request, Integer.parseInt(loss), "");
          }
        };
    Created created = value(client(config -> config), c -> c.app("viewers").create(ORDER));
    assertThat(created.adopted()).isTrue();
    assertThat(created.machine().id()).isEqualTo("id0");
    assertThat(made).containsExactlyEntriesOf(Map.of("wp-1", "id0"));
  }

  /**
   * A server that keeps Fly's pace strictly, and a client that believes it may go ten times as
   * fast.
   */
  @Test
  void aStormOfRefusalsIsRiddenOut() throws Exception {
    Bucket[] bucket = {Bucket.full(Rate.USUAL, time.nanos())};
    AtomicInteger refused = new AtomicInteger();
    fly.handler =
        (request, body) -> {
          var taken = bucket[0].take(Urgency.URGENT, time.nanos());
          taken.ifPresentOrElse(
              next -> {
                bucket[0] = next;
                answer(request, 200, "[]");
              },
              () -> {
                refused.incrementAndGet();
                answer(request, 429, "{\"error\":\"rate limit exceeded\"}");
              });
        };
    FlyConfig.Pacing hasty = FlyConfig.Pacing.USUAL.usual(new Rate(10, 10));
    FlyClient client = client(config -> config.pacing(hasty));
    List<Future<List<Machine>>> calls = new ArrayList<>();
    value(
        client,
        c -> {
          for (int i = 0; i < 20; i++) {
            calls.add(c.within(MINUTES).app("viewers").machines(MachineFilter.ALL));
          }
          return Future.all(calls);
        });
    assertThat(calls).allMatch(Future::succeeded);
    assertThat(refused).as("learnt, not hammered").hasValueBetween(1, 60);
  }

  @Test
  void theBreakerSparesASickApiAndFindsItWell() throws Exception {
    fly.handler = (request, body) -> answer(request, 503, "");
    FlyClient client = client(config -> config.pacing(Desk.NO_PACE));
    for (int i = 0; i < 2; i++) {
      assertThat(failure(client, c -> c.app("v").get())).isInstanceOf(Unavailable.class);
    }
    int asked = fly.requests.size();
    assertThat(failure(client, c -> c.app("v").get()))
        .isInstanceOfSatisfying(
            Unavailable.class,
            failure -> assertThat(failure.origin()).isEqualTo(Unavailable.Origin.BREAKER));
    assertThat(fly.requests).hasSize(asked);
    fly.handler = (request, body) -> answer(request, 200, "{\"name\":\"v\"}");
    loop.runOnContext(v -> time.after(Duration.ofSeconds(5), () -> {}));
    await().until(() -> client.app("v").get().await().name().equals("v"));
  }

  @Test
  void theDeadlineHoldsAgainstAServerThatNeverAnswers() throws Exception {
    ManualTime still = new ManualTime();
    fly.handler = (request, body) -> {};
    FlyClient client = client(still, config -> config);
    Future<?> call = client.within(Duration.ofSeconds(5)).app("v").machine("m").get();
    await().until(() -> fly.requests.size() == 1);
    still.advance(Duration.ofMillis(4999));
    assertThat(call.isComplete()).isFalse();
    still.advance(Duration.ofMillis(1));
    await().until(call::isComplete);
    assertThat(((FlyException) call.cause()).failure())
        .isInstanceOfSatisfying(
            TimedOut.class, late -> assertThat(late.where()).isEqualTo(TimedOut.Where.WIRE));
  }

  @Test
  void nobodyListeningMeansNothingWasSent() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    FlyClient client = client(URI.create("http://127.0.0.1:" + port), config -> config);
    assertThat(failure(client, c -> c.app("v").create(ORDER)))
        .isInstanceOfSatisfying(
            Unreachable.class, gone -> assertThat(gone.sent()).isEqualTo(Unreachable.Sent.NO))
        .satisfies(gone -> assertThat(gone.facts().maybeDone()).isFalse());
  }

  @Test
  void aLargeListIsReadOffTheLoopAndASmallOneOnIt() throws Exception {
    String many =
        IntStream.range(0, 5_000)
            .mapToObj(i -> Desk.machine("id" + i, "wp-" + i, "started"))
            .collect(Collectors.joining(",", "[", "]"));
    fly.handler =
        (request, body) -> answer(request, 200, request.uri().contains("large") ? many : "[]");
    FlyClient client = client(config -> config);
    boolean large = value(client, c -> c.engine.run(whereRead("large")));
    boolean small = value(client, c -> c.engine.run(whereRead("small")));
    assertThat(large).as("on the loop").isFalse();
    assertThat(small).as("on the loop").isTrue();
    List<Machine> read = value(client, c -> c.app("large").machines(MachineFilter.ALL));
    assertThat(read).hasSize(5_000).last().extracting(Machine::name).isEqualTo("wp-4999");
  }

  private static Call<Boolean> whereRead(String app) {
    return new Call<>(Action.LIST_MACHINES, app, "", body -> Context.isOnEventLoopThread())
        .get(Uri.of("apps", app, "machines"));
  }

  @Test
  void theTokenStaysInItsHeader() throws Exception {
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    Logger root = (Logger) LoggerFactory.getLogger("cupbear.fly");
    Level before = root.getLevel();
    lines.start();
    root.addAppender(lines);
    root.setLevel(Level.TRACE);
    try {
      fly.handler =
          (request, body) ->
              answer(request, 500, "{\"error\":\"" + request.getHeader("Authorization") + "\"}");
      FlyClient client = client(config -> config);
      FlyFailure failure = failure(client, c -> c.app("v").get());
      assertThat(failure.facts().detail()).isEqualTo("***");
      assertThat(failure.toString() + new FlyException(failure) + lines.list)
          .doesNotContain("canary");
      assertThat(fly.requests).allSatisfy(line -> assertThat(line).doesNotContain("canary"));
    } finally {
      root.detachAppender(lines);
      root.setLevel(before);
    }
  }

  @Test
  void cookiesLeadBackAndRedirectsAreNotFollowed() throws Exception {
    Queue<String> cookies = new ConcurrentLinkedQueue<>();
    try (FakeFly elsewhere = new FakeFly(vertx)) {
      fly.handler =
          (request, body) -> {
            String cookie = request.getHeader("Cookie");
            cookies.add(cookie == null ? "none" : cookie);
            if (request.uri().endsWith("moved")) {
              request.response().putHeader("Location", elsewhere.address() + "/v1/apps/moved");
              answer(request, 307, "");
            } else {
              request.response().putHeader("Set-Cookie", "affinity=i-7; Path=/");
              answer(request, 200, "{\"name\":\"v\"}");
            }
          };
      FlyClient client = client(config -> config);
      value(client, c -> c.app("v").get());
      value(client, c -> c.app("v").get());
      assertThat(failure(client, c -> c.within(Duration.ofSeconds(1)).app("moved").get()))
          .isInstanceOf(Unreadable.class);
      assertThat(cookies).startsWith("none", "affinity=i-7");
      assertThat(elsewhere.requests).isEmpty();
    }
  }

  @Test
  void thirtyTwoRequestsAtOnceEightOfThemForUrgentCalls() throws Exception {
    Queue<HttpServerRequest> held = new ConcurrentLinkedQueue<>();
    fly.handler = (request, body) -> held.add(request);
    FlyClient client = client(config -> config);
    List<Future<?>> calls = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      calls.add(client.app("v").machine("r" + i).start());
    }
    await().until(() -> held.size() == 24);
    for (int i = 0; i < 20; i++) {
      calls.add(client.app("v").machine("u" + i).delete(true));
    }
    await().until(() -> held.size() == 32);
    assertThat(held).filteredOn(each -> each.method().name().equals("DELETE")).hasSize(8);
    AtomicInteger most = new AtomicInteger();
    fly.handler =
        (request, body) -> {
          held.add(request);
          most.accumulateAndGet(held.size(), Math::max);
        };
    await()
        .until(() -> {
          for (var next = held.poll(); next != null; next = held.poll()) {
            answer(next, 200, "{}");
          }
          return Future.all(calls).isComplete();
        });
    assertThat(most.get()).isLessThanOrEqualTo(32);
    assertThat(calls).allMatch(Future::succeeded);
  }

  @Test
  void theCallerIsToldOnItsOwnContext() throws Exception {
    fly.handler = (request, body) -> answer(request, 200, "{}");
    FlyClient client = client(config -> config);
    Context mine = vertx.getOrCreateContext();
    AtomicReference<Boolean> same = new AtomicReference<>();
    mine.runOnContext(
        v -> client.app("v").get().onComplete(r -> same.set(mine.equals(Vertx.currentContext()))));
    await().until(() -> same.get() != null);
    assertThat(same.get()).isTrue();
  }

  private FlyClient client(UnaryOperator<FlyConfig> change) {
    return client(fly.address(), change);
  }

  private FlyClient client(URI base, UnaryOperator<FlyConfig> change) {
    FlyConfig config = FlyConfig.of(base, () -> Secret.of(Desk.TOKEN)).hooks(time);
    return made(change.apply(config), time);
  }

  private FlyClient client(FlyTime other, UnaryOperator<FlyConfig> change) {
    FlyConfig config = FlyConfig.of(fly.address(), () -> Secret.of(Desk.TOKEN));
    return made(change.apply(config), other);
  }

  private FlyClient made(FlyConfig config, FlyTime clock) {
    Future<FlyClient> made =
        Future.future(promise ->
            loop.runOnContext(v -> promise.complete(FlyClient.create(vertx, config, clock))));
    FlyClient client = made.await();
    clients.add(client);
    return client;
  }

  /** Runs on the client's own loop, so that time cannot jump between two calls. */
  private <T> T value(FlyClient client, Function<FlyClient, Future<T>> call) throws Exception {
    Future<T> running =
        Future.future(promise -> loop.runOnContext(v -> call.apply(client).onComplete(promise)));
    return running.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  private FlyFailure failure(FlyClient client, Function<FlyClient, Future<?>> call)
      throws Exception {
    try {
      Object unexpected = value(client, c -> call.apply(c).map(v -> v));
      throw new AssertionError("no failure: " + unexpected);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof FlyException fly) {
        return fly.failure();
      }
      throw failed;
    }
  }
}
