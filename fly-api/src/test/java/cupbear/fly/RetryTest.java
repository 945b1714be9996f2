// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.fly.FlyFailure.BadRequest;
import cupbear.fly.FlyFailure.Facts;
import cupbear.fly.FlyFailure.Forbidden;
import cupbear.fly.FlyFailure.LeaseHeld;
import cupbear.fly.FlyFailure.NameTaken;
import cupbear.fly.FlyFailure.NoCapacity;
import cupbear.fly.FlyFailure.NotFound;
import cupbear.fly.FlyFailure.Precondition;
import cupbear.fly.FlyFailure.Precondition.Reason;
import cupbear.fly.FlyFailure.RateLimited;
import cupbear.fly.FlyFailure.TimedOut;
import cupbear.fly.FlyFailure.Unauthorised;
import cupbear.fly.FlyFailure.Unavailable;
import cupbear.fly.FlyFailure.Unreachable;
import cupbear.fly.FlyFailure.VersionConflict;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What to do after a failed attempt, as one table: rows are failures, columns are actions. */
class RetryTest {

  private static final Duration PLENTY = Duration.ofMinutes(10);

  /**
   * A cell: {@code again}, {@code look} (and repeat), {@code see} (look, but never repeat), end.
   */
  private static final String COLUMNS = "get wait start stop create update delete patch lease exec";

  private static final Map<String, Action> ACTIONS =
      Map.of(
          "get", Action.GET_MACHINE,
          "wait", Action.WAIT,
          "start", Action.START,
          "stop", Action.STOP,
          "create", Action.CREATE_MACHINE,
          "update", Action.UPDATE_MACHINE,
          "delete", Action.DELETE_MACHINE,
          "patch", Action.PATCH_METADATA,
          "lease", Action.ACQUIRE_LEASE,
          "exec", Action.EXEC);

  private static final Map<String, Function<Facts, FlyFailure>> FAILURES =
      Map.ofEntries(
          Map.entry("not sent", f -> new Unreachable(f, Unreachable.Sent.NO)),
          Map.entry("reset", f -> new Unreachable(f, Unreachable.Sent.MAYBE)),
          Map.entry("no answer", f -> new TimedOut(f, TimedOut.Where.WIRE)),
          Map.entry("408", f -> new TimedOut(f, TimedOut.Where.AT_FLY)),
          Map.entry("5xx", f -> new Unavailable(f, Unavailable.Origin.FLY)),
          Map.entry("unreadable", FlyFailure.Unreadable::new),
          Map.entry("429", RateLimited::new),
          Map.entry("capacity", f -> new NoCapacity(f, NoCapacity.Scope.HOST)),
          Map.entry("lease held", f -> new LeaseHeld(f, "x", Instant.EPOCH)),
          Map.entry("name taken", f -> new NameTaken(f, "3d8d")),
          Map.entry("version", VersionConflict::new),
          Map.entry("still active", f -> new Precondition(f, Reason.STILL_ACTIVE)),
          Map.entry("still starting", f -> new Precondition(f, Reason.STILL_STARTING)),
          Map.entry("other 412", f -> new Precondition(f, Reason.OTHER)),
          Map.entry("404", NotFound::new),
          Map.entry("401", Unauthorised::new),
          Map.entry("403", Forbidden::new),
          Map.entry("400", f -> new BadRequest(f, false)),
          Map.entry("no image", f -> new BadRequest(f, true)),
          Map.entry("own queue", f -> new TimedOut(f, TimedOut.Where.PACE)),
          Map.entry("breaker", f -> new Unavailable(f, Unavailable.Origin.BREAKER)));

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # failure      | get   wait  start stop  create update delete patch lease exec
          not sent       | again again again again again  again  again  again again again
          reset          | again again look  look  look   look   again  again look  end
          no answer      | again again look  look  look   look   again  again look  end
          408            | again again look  look  look   look   again  again look  end
          5xx            | again again look  look  look   look   again  again look  end
          unreadable     | again again look  look  look   look   again  again look  end
          429            | again again again again again  again  again  again again again
          capacity       | end   end   end   end   end    end    end    end   end   end
          lease held     | end   end   end   end   end    end    end    end   end   end
          name taken     | end   end   end   end   end    end    end    end   end   end
          version        | end   end   end   end   end    end    end    end   end   end
          still active   | end   end   again end   end    end    end    end   end   end
          still starting | end   end   see   end   end    end    end    end   end   end
          other 412      | end   end   see   end   end    end    end    end   end   end
          404            | end   end   end   end   end    end    end    end   end   end
          401            | end   end   end   end   end    end    end    end   end   end
          403            | end   end   end   end   end    end    end    end   end   end
          400            | end   end   end   end   end    end    end    end   end   end
          own queue      | end   end   end   end   end    end    end    end   end   end
          breaker        | end   end   end   end   end    end    end    end   end   end
          """)
  void matrix(String failure, String cells) {
    String[] names = COLUMNS.split(" ");
    String[] wanted = cells.trim().split("\\s+");
    assertThat(wanted).hasSameSizeAs(names);
    for (int i = 0; i < names.length; i++) {
      var decision = decide(failed(failure, names[i]), at(1, PLENTY, false), 0.5);
      assertThat(word(decision)).as(failure + " of " + names[i]).isEqualTo(wanted[i]);
    }
  }

  @ParameterizedTest(name = "{1} of {0} after a lost answer: {2}")
  @CsvSource({
    "create, name taken, see",
    "lease, lease held, see",
    "update, version, see",
    "start, lease held, end",
    "patch, version, end"
  })
  void aRefusalThatOurOwnLostSuccessExplainsIsLookedInto(
      String action, String failure, String wanted) {
    var decision = decide(failed(failure, action), at(2, PLENTY, true), 0.5);
    assertThat(word(decision)).isEqualTo(wanted);
  }

  record Pause(String name, String failure, String action, int attempt, double dice, long millis) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Pause> pauses() {
    return Stream.of(
        new Pause("full jitter starts at nothing", "5xx", "get", 1, 0, 0),
        new Pause("full jitter ends below the base", "5xx", "get", 1, 0.999, 199),
        new Pause("doubles", "5xx", "get", 3, 0.5, 400),
        new Pause("is bounded", "5xx", "get", 7, 0.5, 2500),
        new Pause("429: a second at least", "429", "get", 1, 0, 1000),
        new Pause("429: a second and jitter", "429", "get", 1, 0.5, 1500),
        new Pause("429: doubles its jitter", "429", "get", 3, 0.5, 3000),
        new Pause("429: is bounded", "429", "get", 7, 0.5, 6000),
        new Pause("half a second before looking", "reset", "create", 1, 0, 500),
        new Pause("reaping: short", "still active", "start", 1, 0.5, 700),
        new Pause("image not there yet: short", "no image", "create", 1, 0.5, 700),
        new Pause("next round of waiting at once", "408", "wait", 40, 0.5, 0));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pauses")
  void pause(Pause row) {
    var failure = failed(row.failure(), row.action());
    var decision = decide(failure, at(row.attempt(), PLENTY, false), row.dice());
    Duration after =
        switch (decision) {
          case Retry.Again again -> again.after();
          case Retry.Look look -> look.after();
          case Retry.GiveUp end -> Duration.ofDays(1);
        };
    assertThat(after.toMillis()).isEqualTo(row.millis());
  }

  @Test
  void aPauseLongerThanTheTimeLeftEndsTheCall() {
    var failure = new RateLimited(Facts.about(Action.GET_MACHINE, "app", "3d8d"));
    assertThat(word(decide(failure, at(1, Duration.ofMillis(1499), false), 0.5))).isEqualTo("end");
    assertThat(word(decide(failure, at(1, Duration.ofMillis(1501), false), 0.5)))
        .isEqualTo("again");
  }

  @Test
  void attemptsAreCounted() {
    var failure = new RateLimited(Facts.about(Action.GET_MACHINE, "app", "3d8d"));
    assertThat(word(decide(failure, at(7, PLENTY, false), 0.5))).isEqualTo("again");
    assertThat(word(decide(failure, at(8, PLENTY, false), 0.5))).isEqualTo("end");
  }

  @Test
  void theLastAttemptOfAChangeIsStillLookedUp() {
    var failure = failed("5xx", "create");
    assertThat(word(decide(failure, at(8, PLENTY, true), 0.5))).isEqualTo("see");
  }

  @Test
  void thePassingPreconditionIsWaitedOutForTenSecondsHoweverManyAttempts() {
    var failure = failed("still active", "start");
    var nine = new Retry.Standing(30, Duration.ofSeconds(9), PLENTY, false);
    var ten = new Retry.Standing(2, Duration.ofSeconds(10), PLENTY, false);
    assertThat(word(decide(failure, nine, 0.5))).isEqualTo("again");
    assertThat(word(decide(failure, ten, 0.5))).isEqualTo("end");
  }

  private static FlyFailure failed(String failure, String action) {
    Facts facts = Facts.about(Objects.requireNonNull(ACTIONS.get(action)), "app", "3d8d");
    return Objects.requireNonNull(FAILURES.get(failure)).apply(facts);
  }

  private static Retry.Decision decide(FlyFailure failure, Retry.Standing standing, double dice) {
    return Retry.decide(RetryRule.USUAL, failure, standing, dice);
  }

  private static Retry.Standing at(int attempt, Duration remaining, boolean doubt) {
    return new Retry.Standing(attempt, Duration.ZERO, remaining, doubt);
  }

  private static String word(Retry.Decision decision) {
    return switch (decision) {
      case Retry.Again again -> "again";
      case Retry.Look look -> look.thenRepeat() ? "look" : "see";
      case Retry.GiveUp end -> "end";
    };
  }
}
