// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way to Cupbear. Make one per gateway and close it at the end, which releases all sessions.
 *
 * <pre>{@code
 * Cupbear cupbear = Cupbear.connect("http://cupbear.internal:8080", System.getenv("CUPBEAR_TOKEN"));
 * cupbear.acquire(SessionRequest.of("viewers").in("iad")).onSuccess(session -> …);
 * }</pre>
 *
 * Any thread may call. All state lives on one Vert.x context; futures complete on the caller's
 * context, if it has one.
 */
public final class Cupbear implements AutoCloseable {
  private static final Future<Void> NEVER = Promise.<Void>promise().future();

  private final Hop hop;
  private final Line line;
  private final Duration deadline;
  private final @Nullable Vertx own;
  private final Set<Session> live = new HashSet<>();
  private final Promise<Void> ended = Promise.promise();
  private final AtomicBoolean closing = new AtomicBoolean();

  Cupbear(Settings settings) {
    this.own = settings.vertx() == null ? Vertx.vertx() : null;
    Vertx vertx = settings.vertx() == null ? own() : settings.vertx();
    Context home = vertx.getOrCreateContext();
    Time time = settings.time() == null ? Time.of(vertx) : settings.time();
    this.hop = new Hop(home, settings.headers());
    this.deadline = settings.deadline();
    Http http = new Http(vertx, settings.token(), time, hop::run);
    Replicas replicas = new Replicas(settings.urls());
    this.line = new Line(http, replicas, time, settings.dice(), hop::run, new HashSet<>());
  }

  /** With the defaults and a Vert.x of its own. */
  public static Cupbear connect(String url, String token) {
    return builder().url(url).token(token).build();
  }

  public static CupbearBuilder builder() {
    return new CupbearBuilder();
  }

  /**
   * Asks for a Machine, again and again under the same key, until there is one or the deadline is
   * reached. Fails with a {@link RefusedException}.
   */
  public Future<Session> acquire(SessionRequest request) {
    return acquire(request, NEVER);
  }

  /**
   * The same, and gives up as soon as {@code userLeft} completes, so that nobody is queued for a
   * user who has closed the window.
   */
  public Future<Session> acquire(SessionRequest request, Future<?> userLeft) {
    Map<String, String> headers = new HashMap<>(hop.headers());
    headers.put("idempotency-key", UUID.randomUUID().toString());
    @Nullable Duration wait = request.waitAtMost();
    if (wait != null && wait.compareTo(deadline) > 0) {
      return Future.failedFuture(new RefusedException(waitsTooLong(wait)));
    }
    return hop.to(() -> acquire(request, userLeft, headers));
  }

  /** The same for a thread that may wait; throws {@link RefusedException}. */
  public Session acquireBlocking(SessionRequest request) throws InterruptedException {
    if (Context.isOnEventLoopThread()) {
      throw new IllegalStateException("this would stop an event loop; use acquire(…) there");
    }
    Promise<Void> left = Promise.promise();
    Future<Session> asked = acquire(request, left.future());
    try {
      return asked.toCompletionStage().toCompletableFuture().get();
    } catch (ExecutionException failed) {
      throw new RefusedException(Refusal.of(asked.cause()));
    } catch (InterruptedException leaving) {
      left.complete();
      asked.onSuccess(Session::close); // it may have come in the same instant
      throw leaving;
    }
  }

  private Future<Session> acquire(
      SessionRequest request, Future<?> userLeft, Map<String, String> headers) {
    if (closing.get()) {
      return Future.failedFuture(
          new RefusedException(new Refusal.GivenUp("this client is closed")));
    }
    Call call =
        new Call(
            HttpMethod.POST,
            "/v1/sessions",
            request.toJson(),
            headers,
            request.longestWait().plus(Call.SHORT_PATIENCE),
            Call.Lane.WAITING);
    Conversation<Grant> asking =
        new Conversation<>(line, call, deadline, reply -> Wire.grant(reply.json()));
    userLeft.onComplete(left -> hop.run(() -> asking.giveUp("the user has left")));
    return asking.start().map(this::begin);
  }

  private Session begin(Grant grant) {
    Session session = new Session(line, hop, grant, live::remove);
    live.add(session);
    return session;
  }

  /** Gives all sessions back, ends all requests, and is done when all that is done. */
  public Future<Void> shutdown() {
    if (closing.compareAndSet(false, true)) {
      hop.to(this::shutDown).onComplete(ended);
    }
    return ended.future();
  }

  /** {@link #shutdown} without waiting for it. */
  @Override
  public void close() {
    shutdown();
  }

  private Future<Void> shutDown() {
    List.copyOf(line.open()).forEach(each -> each.giveUp("this client is closed"));
    List<Future<Void>> releases =
        List.copyOf(live).stream().map(each -> each.releaseOnce(Map.of())).toList();
    return Future.join(releases)
        .otherwiseEmpty()
        .compose(released -> line.http().close())
        .compose(closed -> own == null ? Future.succeededFuture() : own.close());
  }

  private Vertx own() {
    if (own == null) throw new IllegalStateException("this client uses its caller's Vert.x");
    return own;
  }

  private Refusal waitsTooLong(Duration wait) {
    String why =
        "is %s, longer than the client's deadline of %s; raise that with Cupbear.builder().deadline"
            .formatted(DurationText.write(wait), DurationText.write(deadline));
    return new Refusal.Invalid(List.of(new Refusal.FieldError("wait", why)), "wait " + why);
  }

  /** What a builder gathered. */
  record Settings(
      List<URI> urls,
      Token token,
      Duration deadline,
      Supplier<Map<String, String>> headers,
      @Nullable Vertx vertx,
      @Nullable Time time,
      DoubleSupplier dice) {}
}
