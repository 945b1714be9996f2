// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.fly.FlyFailure.Forbidden;
import cupbear.fly.FlyFailure.NoCapacity;
import cupbear.fly.FlyFailure.NotFound;
import cupbear.fly.FlyFailure.Precondition;
import cupbear.fly.FlyFailure.RateLimited;
import cupbear.fly.FlyFailure.TimedOut;
import cupbear.fly.FlyFailure.Unauthorised;
import cupbear.fly.FlyFailure.Unavailable;
import cupbear.fly.FlyFailure.Unreachable;
import cupbear.fly.FlyFailure.Unreadable;
import cupbear.fly.model.MachineFilter;
import cupbear.fly.model.Secret;
import cupbear.fly.model.WaitFor;
import cupbear.fly.model.Waited;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A call from start to end: repeats, deadlines, the breaker, tokens and hooks. */
class CallTest {

  private static final String STILL_ACTIVE =
      "{\"error\":\"failed_precondition: machine still active, refusing to start\"}";
  private static final String LIMITED = "{\"error\":\"rate limit exceeded\"}";
  private static final String MACHINE = Desk.machine("3d8d413b29d089", "n", "started");

  private final Desk desk = new Desk();

  @Test
  void theSecondsAfterAStopAreWaitedOut() {
    for (int i = 0; i < 9; i++) {
      desk.wire.then(412, STILL_ACTIVE);
    }
    desk.wire.then(200, "{\"previous_state\":\"stopped\"}");
    assertThat(desk.value(desk.machine.start()).previousState().word()).isEqualTo("stopped");
  }

  @Test
  void butNotForever() {
    long start = desk.time.nanos();
    desk.wire.always(out -> ScriptedWire.reply(412, STILL_ACTIVE));
    assertThat(desk.failure(desk.machine.start())).isInstanceOf(Precondition.class);
    assertThat(desk.since(start)).isBetween(Duration.ofSeconds(9), Duration.ofSeconds(10));
  }

  @Test
  void aStartOfARunningMachineSucceedsHoweverFlyAnswers() {
    desk.wire.then(409, "{\"error\":\"aborted: machine still attempting to start\"}");
    desk.wire.then(200, MACHINE);
    assertThat(desk.value(desk.machine.start()).previousState().word()).isEqualTo("started");
  }

  @Test
  void aRefusalInsideA200IsARefusal() {
    desk.wire.then(200, "{\"status\":\"error\",\"message\":\"aborted: no capacity\"}");
    assertThat(desk.failure(desk.machine.start())).isInstanceOf(NoCapacity.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 403})
  void withABadTokenNothingIsRepeated(int status) {
    desk.wire.then(status, "{\"error\":\"Authenticate: token validation error\"}");
    FlyFailure failure = desk.failure(desk.machine.get());
    assertThat(failure).isInstanceOf(status == 401 ? Unauthorised.class : Forbidden.class);
    assertThat(desk.wire.sent).hasSize(1);
  }

  @Test
  void rateLimitsAreSatOutAndLearnt() {
    Desk paced = new Desk(config -> config.pacing(FlyConfig.Pacing.USUAL));
    long start = paced.time.nanos();
    paced.wire.then(429, LIMITED).then(429, LIMITED).always(out -> ScriptedWire.reply(200, "[]"));
    paced.value(paced.app.machines(MachineFilter.ALL));
    // 1.5 s and 2 s of backoff, and the bucket needs longer after two refusals: 0, 6 s.
    assertThat(paced.since(start)).isGreaterThan(Duration.ofSeconds(5));
    assertThat(paced.wire.sent).hasSize(3);
  }

  @Test
  void oneRefusalHoldsBackTheOthersOfThatBucket() {
    Desk paced = new Desk(config -> config.pacing(FlyConfig.Pacing.USUAL));
    paced.wire.then(429, LIMITED).always(out -> ScriptedWire.reply(200, "[]"));
    Future<?> first = paced.app.machines(MachineFilter.ALL);
    Future<?> second = paced.app.machines(MachineFilter.ALL);
    paced.time.advance(Duration.ofMillis(999));
    assertThat(paced.wire.sent).as("nobody went for a second").hasSize(1);
    paced.value(first);
    paced.value(second);
  }

  @Test
  void aStormOfRefusalsEndsWithTheDeadline() {
    long start = desk.time.nanos();
    desk.wire.always(out -> ScriptedWire.reply(429, LIMITED));
    Duration limit = Duration.ofSeconds(8);
    assertThat(desk.failure(desk.machine.within(limit).get())).isInstanceOf(RateLimited.class);
    assertThat(desk.since(start)).isLessThanOrEqualTo(limit);
  }

  @Test
  void aHostThatNeverAnswersEndsWithTheDeadline() {
    long start = desk.time.nanos();
    desk.wire.always(out -> Promise.<Wire.Answer>promise().future());
    Duration limit = Duration.ofSeconds(25);
    FlyFailure failure = desk.failure(desk.machine.within(limit).get());
    assertThat(failure)
        .isInstanceOfSatisfying(
            TimedOut.class, late -> assertThat(late.where()).isEqualTo(TimedOut.Where.WIRE));
    assertThat(desk.since(start)).isLessThanOrEqualTo(limit);
    assertThat(desk.wire.sent).hasSize(3);
  }

  @Test
  void whoGetsNoTurnSentNothing() {
    Desk paced = new Desk(config -> config.pacing(FlyConfig.Pacing.USUAL));
    paced.wire.always(out -> ScriptedWire.reply(200, "[]"));
    List<Future<?>> calls = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      calls.add(paced.app.within(Duration.ofMillis(2500)).machines(MachineFilter.ALL));
    }
    paced.time.advance(Duration.ofSeconds(3));
    assertThat(calls).filteredOn(Future::succeeded).hasSize(4);
    assertThat(paced.wire.sent).hasSize(4);
    assertThat(paced.failure(calls.get(5)))
        .isInstanceOfSatisfying(
            TimedOut.class, late -> assertThat(late.where()).isEqualTo(TimedOut.Where.PACE))
        .satisfies(failure -> assertThat(failure.facts().maybeDone()).isFalse());
  }

  @Test
  void anAnswerAfterItsTimeChangesNothing() {
    var late = desk.wire.thenLater();
    desk.wire.then(200, MACHINE);
    Future<?> call = desk.machine.get();
    desk.time.advance(Duration.ofSeconds(11));
    assertThat(call.succeeded()).isTrue();
    late.complete(ScriptedWire.reply(500, "").result());
    assertThat(desk.engine.gate.inFlight()).isZero();
  }

  @Test
  void waitingGoesOnRoundByRound() {
    String later = "{\"error\":\"deadline_exceeded: machine failed to reach desired state\"}";
    for (int i = 0; i < 12; i++) {
      desk.wire.then(408, later);
    }
    desk.wire.then(200, "{\"ok\":true,\"state\":\"stopped\"}");
    Waited waited = desk.value(desk.machine.waitFor(WaitFor.anyOf("stopped")));
    assertThat(waited.state().word()).isEqualTo("stopped");
    assertThat(desk.wire.sent).hasSize(13);
  }

  @Test
  void theLastRoundOfWaitingFitsTheTimeLeft() {
    desk.wire.then(200, "{}");
    desk.value(desk.machine.within(Duration.ofSeconds(10)).waitFor(WaitFor.anyOf("stopped")));
    assertThat(desk.wire.requests()).first().asString().endsWith("timeout=9");
  }

  @Test
  void aWaitCutShortTellsWhatFlySaidBefore() {
    desk.wire.then(408, "{\"error\":\"deadline_exceeded: currently created\"}").thenHang();
    FlyMachine hurried = desk.machine.within(Duration.ofSeconds(10));
    FlyFailure failure = desk.failure(hurried.waitFor(WaitFor.anyOf("started")));
    assertThat(failure)
        .isInstanceOfSatisfying(
            TimedOut.class, late -> assertThat(late.where()).isEqualTo(TimedOut.Where.AT_FLY));
    assertThat(failure.facts().detail()).endsWith("currently created");
    assertThat(desk.wire.sent).hasSize(2);
  }

  @Test
  void nonsenseInA200IsUnreadable() {
    desk.wire.always(out -> ScriptedWire.reply(200, "<html>hotel wifi</html>"));
    FlyFailure failure = desk.failure(desk.machine.within(Duration.ofSeconds(3)).get());
    assertThat(failure).isInstanceOf(Unreadable.class);
    assertThat(failure.sentence()).doesNotContain("hotel");
  }

  @Test
  void theBreakerOpensTriesAndCloses() {
    List<String> heard = new ArrayList<>();
    FlyHooks hooks =
        new FlyHooks() {
          @Override
          public void breaker(String host, boolean open) {
            heard.add(host + " " + open);
          }
        };
    Desk watched = new Desk(config -> config.hooks(hooks));
    watched.wire.always(out -> ScriptedWire.reply(503, ""));
    for (int i = 0; i < 2; i++) {
      assertThat(watched.failure(watched.machine.get())).isInstanceOf(Unavailable.class);
    }
    assertThat(watched.wire.sent).as("ten failures are enough").hasSize(10);
    assertThat(watched.failure(watched.machine.get()))
        .isInstanceOfSatisfying(
            Unavailable.class,
            failure -> assertThat(failure.origin()).isEqualTo(Unavailable.Origin.BREAKER));
    assertThat(watched.wire.sent).hasSize(10);
    watched.time.advance(Duration.ofSeconds(5));
    watched.wire.then(200, MACHINE).always(out -> ScriptedWire.reply(200, MACHINE));
    watched.value(watched.machine.get());
    watched.value(watched.machine.get());
    assertThat(heard).containsExactly("fly.test true", "fly.test false");
  }

  @Test
  void aMachineOnADeadHostDoesNotStopTheOthers() {
    desk.wire.always(out -> Promise.<Wire.Answer>promise().future());
    for (int i = 0; i < 12; i++) {
      desk.failure(desk.machine.delete(true));
    }
    desk.wire.then(200, MACHINE);
    desk.value(desk.machine.get());
  }

  @Test
  void aNewTokenNeedsNoRestart() {
    String[] current = {"fo1_old"};
    Desk rotating = new Desk(() -> Secret.of(current[0]), config -> config);
    rotating.wire.then(200, MACHINE).then(200, MACHINE);
    rotating.value(rotating.machine.get());
    current[0] = "fm2_new";
    rotating.value(rotating.machine.get());
    assertThat(rotating.wire.sent)
        .extracting(out -> out.headers().get("Authorization"))
        .containsExactly("Bearer fo1_old", "FlyV1 fm2_new");
  }

  @Test
  void withoutATokenNothingIsSent() {
    Desk without = new Desk(() -> Secret.of(" "), config -> config);
    assertThat(without.failure(without.machine.get())).isInstanceOf(Unauthorised.class);
    Desk broken =
        new Desk(
            () -> {
              throw new IllegalStateException("cannot read " + Desk.TOKEN);
            },
            config -> config);
    FlyFailure failure = broken.failure(broken.machine.get());
    assertThat(failure.sentence()).contains("IllegalStateException").doesNotContain(Desk.TOKEN);
    assertThat(broken.engine.gate.inFlight()).isZero();
  }

  @Test
  void afterClosingNothingIsSentAndNobodyWaits() {
    Desk paced = new Desk(config -> config.pacing(FlyConfig.Pacing.USUAL));
    paced.wire.always(out -> ScriptedWire.reply(200, "[]"));
    for (int i = 0; i < 2; i++) {
      paced.value(paced.app.machines(MachineFilter.ALL));
    }
    Future<?> waiting = paced.app.machines(MachineFilter.ALL);
    paced.value(paced.fly.close());
    assertThat(waiting.failed()).isTrue();
    assertThat(paced.failure(paced.app.get())).isInstanceOf(Unreachable.class);
    assertThat(paced.wire.sent).hasSize(2);
  }

  /** Writes down what it hears, and fails at it. */
  private static final class Listener implements FlyHooks {
    final List<String> heard = new ArrayList<>();

    @Override
    public CallHook started(CallInfo call) {
      heard.add("started " + call.action() + " " + call.urgency());
      return new CallHook() {
        @Override
        public void sending(int number, BiConsumer<String, String> headers) {
          heard.add("sending " + number);
          headers.accept("traceparent", "00-abc-def-01");
        }

        @Override
        public void answered(int number, int status, Duration onWire) {
          heard.add("answered " + number + " " + status);
          throw new IllegalStateException("a broken meter");
        }

        @Override
        public void ended(Ending end) {
          heard.add(
              "ended %s after %d, paced %d ms, wire %d ms, %s"
                  .formatted(
                      end.outcome(),
                      end.attempts(),
                      end.paced().toMillis(),
                      end.onWire().toMillis(),
                      end.requestId()));
        }
      };
    }
  }

  @Test
  void hooksHearEverythingAndCannotBreakACall() {
    Listener listener = new Listener();
    Desk watched = new Desk(config -> config.hooks(listener));
    watched.wire.thenRefuse();
    var later = watched.wire.thenLater();
    Future<?> call = watched.machine.urgent().get();
    watched.time.advance(Duration.ofMillis(100));
    watched.time.advance(Duration.ofMillis(40));
    later.complete(ScriptedWire.reply(200, MACHINE).result());
    assertThat(call.succeeded()).isTrue();
    assertThat(listener.heard)
        .containsExactly(
            "started GET_MACHINE URGENT",
            "sending 1",
            "answered 1 0",
            "sending 2",
            "answered 2 200",
            "ended OK after 2, paced 0 ms, wire 40 ms, 01REQ-iad");
    assertThat(watched.wire.sent.get(0).headers()).containsEntry("traceparent", "00-abc-def-01");
  }

  @Test
  void hooksHearOfPacingAndOfWhatWasFoundDone() {
    Listener listener = new Listener();
    Desk watched =
        new Desk(config -> config.hooks(listener).pacing(Desk.NO_PACE.usual(new Rate(1, 1))));
    watched.wire.then(200, "{}").thenReset().then(200, MACHINE);
    watched.value(watched.machine.start());
    watched.value(watched.machine.start());
    assertThat(listener.heard).contains("ended FOUND_DONE after 1, paced 1000 ms, wire 0 ms, ");
  }

  @Test
  void notFoundIsAFailureOnlyWhereItMatters() {
    desk.wire.always(out -> ScriptedWire.reply(404, "{\"error\":\"not_found\"}"));
    assertThat(desk.failure(desk.machine.get())).isInstanceOf(NotFound.class);
    assertThat(desk.failure(desk.machine.start())).isInstanceOf(NotFound.class);
    assertThat(desk.value(desk.machine.lease())).isEmpty();
    assertThat(desk.value(desk.machine.metadata().get("x"))).isEmpty();
    desk.value(desk.machine.delete(true));
  }
}
