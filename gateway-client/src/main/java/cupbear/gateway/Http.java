// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request once. Every attempt ends: with a whole answer, a refusal, or its time being up;
 * and what has ended holds no connection. Used on the client's context only.
 */
final class Http {
  // A grant is about 1 KiB. More than this is no answer of ours.
  static final int LARGEST_ANSWER = 64 * 1024;

  // Each waiting request holds a connection for up to 30 s; the scheduler's queue ends at 200.
  private static final int WAITING_CONNECTIONS = 256;
  private static final int SHORT_CONNECTIONS = 32;

  // On a private network. A replica that is gone shall not cost much of the caller's time.
  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(2);

  private final HttpClient waiting;
  private final HttpClient brief;
  private final Token token;
  private final Time time;
  private final Consumer<Runnable> context;

  Http(Vertx vertx, Token token, Time time, Consumer<Runnable> context) {
    this.waiting = client(vertx, WAITING_CONNECTIONS);
    this.brief = client(vertx, SHORT_CONNECTIONS);
    this.token = token;
    this.time = time;
    this.context = context;
  }

  private static HttpClient client(Vertx vertx, int connections) {
    HttpClientOptions options =
        new HttpClientOptions().setConnectTimeout((int) CONNECT_WITHIN.toMillis());
    return vertx.createHttpClient(options, new PoolOptions().setHttp1MaxSize(connections));
  }

  Attempt send(Call call, URI replica, Duration patience) {
    Attempt attempt = new Attempt(replica, patience);
    attempt.start(call);
    return attempt;
  }

  Future<Void> close() {
    return Future.join(waiting.close(), brief.close()).mapEmpty();
  }

  /** One try. */
  final class Attempt {
    private final URI replica;
    private final Duration patience;
    private final Promise<Reply> ending = Promise.promise();
    private final Buffer body = Buffer.buffer();
    private @Nullable HttpClientRequest request;
    private Time.@Nullable Alarm alarm;

    private Attempt(URI replica, Duration patience) {
      this.replica = replica;
      this.patience = patience;
    }

    /** Fails with a {@link RefusedException}, or with a bug. */
    Future<Reply> reply() {
      return ending.future();
    }

    void abort(Refusal why) {
      end(() -> ending.tryFail(new RefusedException(why)));
      HttpClientRequest sent = request;
      // Closing the connection is how the scheduler learns that nobody waits any more.
      if (sent != null) sent.reset();
    }

    private void start(Call call) {
      alarm = time.after(patience, () -> context.accept(this::timeIsUp));
      HttpClient client =
          switch (call.lane()) {
            case WAITING -> waiting;
            case SHORT -> brief;
          };
      try {
        client
            .request(options(call))
            .onSuccess(opened -> context.accept(() -> opened(opened, call)))
            .onFailure(this::broken);
      } catch (RuntimeException bug) {
        // A token or header that cannot be sent: the caller must see it, a retry cannot mend it.
        end(() -> ending.tryFail(bug));
      }
    }

    private RequestOptions options(Call call) {
      RequestOptions options =
          new RequestOptions()
              .setMethod(call.method())
              .setAbsoluteURI(replica + call.path())
              .setFollowRedirects(false);
      // Ours last: a hook cannot take the place of the token.
      call.headers().forEach(options::putHeader);
      options.putHeader("authorization", token.header());
      options.putHeader("accept", "application/json, application/problem+json");
      if (call.body() != null) options.putHeader("content-type", "application/json");
      return options;
    }

    private void opened(HttpClientRequest opened, Call call) {
      // Its own reset is told to a request, too; whoever asked has had a refusal by then.
      opened.exceptionHandler(this::broken);
      if (ending.future().isComplete()) {
        opened.reset();
        return;
      }
      request = opened;
      Future<HttpClientResponse> sent =
          call.body() == null ? opened.send() : opened.send(call.body().toBuffer());
      sent.onSuccess(this::read).onFailure(this::broken);
    }

    private void read(HttpClientResponse response) {
      response.handler(this::collect);
      response.exceptionHandler(this::broken);
      response.endHandler(done ->
          end(() ->
              ending.tryComplete(
                  new Reply(
                      response.statusCode(),
                      header(response, "content-type"),
                      header(response, "retry-after"),
                      body))));
    }

    private void collect(Buffer chunk) {
      if (ending.future().isComplete()) return;
      if (body.length() + chunk.length() > LARGEST_ANSWER) {
        abort(
            new Refusal.Garbled(
                "the answer of " + replica + " is longer than " + LARGEST_ANSWER + " bytes"));
      } else {
        body.appendBuffer(chunk);
      }
    }

    private void timeIsUp() {
      abort(
          new Refusal.TimedOut(
              patience, replica + " gave no whole answer within " + patience.toMillis() + " ms"));
    }

    private void broken(Throwable failure) {
      String why = Reply.plain(Objects.toString(failure.getMessage(), "connection lost"));
      end(() ->
          ending.tryFail(new RefusedException(new Refusal.Unreachable(replica + ": " + why))));
    }

    private void end(Runnable how) {
      if (alarm != null) alarm.callOff();
      how.run();
    }

    private static String header(HttpClientResponse response, String name) {
      return Objects.toString(response.getHeader(name), "");
    }
  }
}
