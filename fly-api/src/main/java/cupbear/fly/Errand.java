// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import cupbear.fly.FlyFailure.Facts;
import cupbear.fly.FlyFailure.TimedOut;
import cupbear.fly.FlyFailure.Unauthorised;
import cupbear.fly.FlyFailure.Unavailable;
import cupbear.fly.FlyFailure.Unreachable;
import cupbear.fly.FlyFailure.Unreadable;
import cupbear.fly.Wire.Answer;
import cupbear.fly.model.Secret;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One call from its start to its only end: wait for the pace, send, judge the answer, then end,
 * repeat, or look first. Decisions are {@link Retry}'s and {@link Failures}'; this class only
 * carries them out. Lives on the engine's loop.
 */
final class Errand<T> {

  private static final int TOO_MANY = 429;

  /** Beyond this, reading the answer would hold up the loop. */
  private static final int READ_ON_LOOP = 64 * 1024;

  /** The socket is let go a little later than we give up, so that our own word is heard first. */
  private static final Duration SOCKET_GRACE = Duration.ofMillis(250);

  private final Engine engine;
  private final Call<T> call;
  private final Promise<T> promise;
  private final Executor back;
  private final FlyTime time;
  private final Gate.Key key;
  private final long deadline;
  private FlyHooks.CallHook hook = FlyHooks.CallHook.NONE;
  private int attempts;
  private @Nullable Long passingSince;
  private long paced;
  private long onWire;
  private boolean doubt;
  private String requestId = "";
  private @Nullable FlyFailure last;

  Errand(Engine engine, Call<T> call, Promise<T> promise, Executor back) {
    this.engine = engine;
    this.call = call;
    this.promise = promise;
    this.back = back;
    this.time = engine.time;
    this.key = new Gate.Key(call.action, call.paceBy);
    this.deadline = time.nanos() + call.time().toNanos();
  }

  void begin() {
    var info = new FlyHooks.CallInfo(call.action, call.app, call.machine, call.urgency());
    engine.quietly(() -> hook = engine.config.hooks().started(info));
    queue();
  }

  private void queue() {
    if (engine.isClosed()) {
      fail(new Unreachable(call.facts().saying("the client was closed"), Unreachable.Sent.NO));
      return;
    }
    long since = time.nanos();
    engine.gate.enter(
        key,
        call.urgency(),
        deadline,
        new Gate.Waiter() {
          @Override
          public void go() {
            paced += time.nanos() - since;
            send();
          }

          @Override
          public void tooLate(String why) {
            paced += time.nanos() - since;
            fail(last != null ? last : new TimedOut(call.facts().saying(why), TimedOut.Where.PACE));
          }
        });
  }

  private void send() {
    Secret token;
    Map<String, String> headers;
    try {
      token = engine.config.token().get();
      headers = headers(token);
    } catch (RuntimeException noToken) {
      engine.gate.leave(call.action);
      // Our own words only: a supplier's message might hold what it failed to read.
      boolean ours = noToken instanceof IllegalArgumentException;
      String why = ours ? noToken.getMessage() : noToken.getClass().getSimpleName();
      fail(new Unauthorised(call.facts().saying("no usable token: " + why)));
      return;
    }
    if (!engine.mayLeave(call.action)) {
      engine.gate.leave(call.action);
      fail(last != null ? last : new Unavailable(call.facts(), Unavailable.Origin.BREAKER));
      return;
    }
    attempts++;
    int number = attempts;
    engine.quietly(() -> hook.sending(number, headers::put));
    Duration left = remaining();
    Duration limit = shorter(call.wire, left);
    Flight flight = new Flight(number, token, time.nanos(), left.compareTo(call.wire) <= 0);
    flight.alarm = time.after(limit, () -> engine.loop.execute(flight::overdue));
    engine
        .wire
        .send(
            new Wire.Outgoing(
                call.method, call.uri.apply(limit), headers, call.body, limit.plus(SOCKET_GRACE)))
        .onComplete(result -> engine.loop.execute(() -> flight.landed(result)));
  }

  private Map<String, String> headers(Secret token) {
    Map<String, String> headers = new LinkedHashMap<>(call.headers);
    headers.put("Authorization", AuthHeader.of(token));
    headers.put("User-Agent", engine.config.userAgent());
    headers.put("Accept", "application/json");
    if (call.body.length() > 0) {
      headers.put("Content-Type", "application/json");
    }
    return headers;
  }

  /** One request on the wire; ends once, by its answer or by its alarm. */
  private final class Flight {
    private final int number;
    private final Secret token;
    private final long left;
    private final boolean untilTheEnd;
    private FlyTime.@Nullable Timer alarm;
    private boolean over;

    /**
     * @param untilTheEnd true when it ends with the caller's time, not with its own
     */
    Flight(int number, Secret token, long left, boolean untilTheEnd) {
      this.number = number;
      this.token = token;
      this.left = left;
      this.untilTheEnd = untilTheEnd;
    }

    void overdue() {
      if (end(0)) {
        judge(inVain());
      }
    }

    /** A round of a wait that we cut short says nothing; what Fly said of the one before stands. */
    private FlyFailure inVain() {
      return untilTheEnd
              && call.action.isLongPoll()
              && last instanceof TimedOut before
              && before.where() == TimedOut.Where.AT_FLY
          ? before
          : new TimedOut(call.facts(), TimedOut.Where.WIRE);
    }

    void landed(AsyncResult<Answer> result) {
      if (!end(result.succeeded() ? result.result().status() : 0)) {
        return;
      }
      if (result.failed()) {
        judge(Failures.broken(call.facts(), result.cause()));
        return;
      }
      Answer answer = result.result();
      requestId = answer.requestId();
      if (answer.ok()) {
        engine.heard(Engine.Verdict.WELL);
        read(answer, token);
      } else {
        judge(refusal(answer.status(), answer, Failures.Words.of(answer.body().getBytes()), token));
      }
    }

    private boolean end(int status) {
      if (over) {
        return false;
      }
      over = true;
      if (alarm != null) {
        alarm.cancel();
      }
      long took = time.nanos() - left;
      onWire += took;
      engine.quietly(() -> hook.answered(number, status, Duration.ofNanos(took)));
      if (status == TOO_MANY) {
        // Before the next one goes: it must not run into the same refusal.
        engine.gate.refused(key);
      }
      engine.gate.leave(call.action);
      return true;
    }
  }

  private void read(Answer answer, Secret token) {
    if (answer.body().length() <= READ_ON_LOOP) {
      try {
        succeed(call.reader.read(answer.body().getBytes()), Outcome.OK);
      } catch (IOException | RuntimeException notWhatWasPromised) {
        misread(answer, notWhatWasPromised, token);
      }
      return;
    }
    engine
        .offLoop
        .run(() -> call.reader.read(answer.body().getBytes()))
        .onComplete(
            value -> engine.loop.execute(() -> succeed(value, Outcome.OK)),
            cause -> engine.loop.execute(() -> misread(answer, cause, token)));
  }

  private void misread(Answer answer, Throwable cause, Secret token) {
    if (cause instanceof Call.RefusedInside inside) {
      var words = new Failures.Words("", String.valueOf(inside.getMessage()));
      judge(refusal(409, answer, words, token));
      return;
    }
    // The class of the trouble, not its text: Jackson quotes the body, and it may hold a nonce.
    String what = cause.getClass().getSimpleName() + ", " + answer.body().length() + " bytes";
    judge(new Unreadable(call.facts().answered(answer.status(), answer.requestId(), what)));
  }

  private FlyFailure refusal(int status, Answer answer, Failures.Words words, Secret token) {
    List<Secret> secrets = new ArrayList<>(call.secrets);
    secrets.add(token);
    String detail = Scrub.clean(words.text(), secrets);
    Facts facts = call.facts().answered(status, answer.requestId(), detail);
    return Failures.classify(facts, words);
  }

  private void judge(FlyFailure failure) {
    engine.heard(verdict(failure));
    Optional<T> gone = call.whenGone();
    if (failure instanceof FlyFailure.NotFound && gone.isPresent()) {
      succeed(gone.get(), Outcome.OK);
      return;
    }
    doubt |= call.action.changes() && isDoubtful(failure);
    last = failure;
    if (passingSince == null && Retry.passes(failure)) {
      passingSince = time.nanos();
    }
    var standing = new Retry.Standing(attempts, passingFor(), remaining(), doubt);
    double dice = engine.config.dice().getAsDouble();
    switch (Retry.decide(engine.config.retry(), failure, standing, dice)) {
      case Retry.Again again -> later(again.after(), this::queue);
      case Retry.Look look -> later(look.after(), () -> look(failure, look.thenRepeat()));
      case Retry.GiveUp end -> fail(failure);
    }
  }

  private Duration passingFor() {
    return passingSince == null ? Duration.ZERO : Duration.ofNanos(time.nanos() - passingSince);
  }

  private static boolean isDoubtful(FlyFailure failure) {
    return switch (failure) {
      case Unreachable f -> f.sent() == Unreachable.Sent.MAYBE;
      case TimedOut f -> f.where() != TimedOut.Where.PACE;
      case Unavailable f -> f.origin() == Unavailable.Origin.FLY;
      case Unreadable f -> true;
      default -> false;
    };
  }

  /** A Machine on a dead host times out for itself alone; only calls to the API as such count. */
  private Engine.Verdict verdict(FlyFailure failure) {
    return switch (failure) {
      case Unreachable f -> Engine.Verdict.ILL;
      case Unavailable f -> Engine.Verdict.ILL;
      case TimedOut f when f.where() == TimedOut.Where.WIRE ->
          call.machine.isEmpty() || call.action == Action.GET_MACHINE
              ? Engine.Verdict.ILL
              : Engine.Verdict.UNDECIDED;
      default -> Engine.Verdict.WELL;
    };
  }

  private void look(FlyFailure failure, boolean thenRepeat) {
    Duration left = remaining();
    if (call.lookup().isEmpty() || left.isNegative() || left.isZero()) {
      fail(failure);
      return;
    }
    Terms terms = new Terms(left, call.urgency());
    Future<Call.Found<T>> found = call.lookup().get().look(terms, failure);
    found.onComplete(
        result -> engine.loop.execute(() -> looked(result, thenRepeat)),
        cause -> engine.loop.execute(() -> fail(failure)));
  }

  private void looked(Call.Found<T> found, boolean thenRepeat) {
    switch (found) {
      case Call.Done<T> done -> succeed(done.value(), Outcome.FOUND_DONE);
      case Call.Refused<T> refused -> fail(refused.failure());
      case Call.NotDone<T> notDone -> {
        if (thenRepeat) {
          queue();
        } else if (last != null) {
          fail(last);
        }
      }
    }
  }

  private void later(Duration after, Runnable next) {
    if (after.isZero()) {
      next.run();
    } else {
      time.after(after, () -> engine.loop.execute(next));
    }
  }

  private void succeed(T value, Outcome outcome) {
    end(outcome);
    back.execute(() -> promise.complete(value));
  }

  private void fail(FlyFailure failure) {
    end(failure.outcome());
    FlyFailure told = failure.with(failure.facts().maybeDone(doubt));
    back.execute(() -> promise.fail(new FlyException(told)));
  }

  private void end(Outcome outcome) {
    Duration waited = Duration.ofNanos(paced);
    Duration away = Duration.ofNanos(onWire);
    var ending = new FlyHooks.Ending(outcome, attempts, waited, away, requestId);
    engine.quietly(() -> hook.ended(ending));
  }

  private Duration remaining() {
    return Duration.ofNanos(deadline - time.nanos());
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
