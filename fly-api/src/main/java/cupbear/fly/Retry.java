// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import cupbear.fly.FlyFailure.BadRequest;
import cupbear.fly.FlyFailure.Forbidden;
import cupbear.fly.FlyFailure.LeaseHeld;
import cupbear.fly.FlyFailure.MachineLimit;
import cupbear.fly.FlyFailure.NameTaken;
import cupbear.fly.FlyFailure.NoCapacity;
import cupbear.fly.FlyFailure.NotFound;
import cupbear.fly.FlyFailure.Precondition;
import cupbear.fly.FlyFailure.RateLimited;
import cupbear.fly.FlyFailure.TimedOut;
import cupbear.fly.FlyFailure.Unauthorised;
import cupbear.fly.FlyFailure.Unavailable;
import cupbear.fly.FlyFailure.Unreachable;
import cupbear.fly.FlyFailure.Unreadable;
import cupbear.fly.FlyFailure.VersionConflict;
import java.time.Duration;

/** What to do after a failed attempt. Pure: the dice are thrown outside. */
final class Retry {

  /**
   * Where a call stands when an attempt failed.
   *
   * @param attempt the one that failed, from 1
   * @param passing time since the first failure that {@link #passes} by itself
   * @param remaining time left to the caller
   * @param doubt true when an earlier attempt may have been carried out
   */
  record Standing(int attempt, Duration passing, Duration remaining, boolean doubt) {}

  sealed interface Decision {}

  /** Send it again. */
  record Again(Duration after) implements Decision {}

  /**
   * Look whether it was carried out.
   *
   * @param thenRepeat when it was not: true sends it again, false ends the call
   */
  record Look(Duration after, boolean thenRepeat) implements Decision {}

  record GiveUp() implements Decision {}

  private static final GiveUp GIVE_UP = new GiveUp();

  private Retry() {}

  /** True for what is over within seconds, without anybody's doing. */
  static boolean passes(FlyFailure failure) {
    return switch (failure) {
      case Precondition f -> f.reason().passes();
      case BadRequest f -> f.imageMissing();
      default -> false;
    };
  }

  /**
   * @param dice from 0 (included) to 1
   */
  static Decision decide(RetryRule rule, FlyFailure failure, Standing standing, double dice) {
    Decision wanted = wanted(rule, failure, standing, dice);
    return switch (wanted) {
      case Again again -> inTime(again, again.after(), standing);
      case Look look -> inTime(look, look.after(), standing);
      case GiveUp end -> end;
    };
  }

  private static Decision inTime(Decision decision, Duration after, Standing standing) {
    return after.compareTo(standing.remaining()) < 0 ? decision : GIVE_UP;
  }

  private static Decision wanted(RetryRule rule, FlyFailure failure, Standing at, double dice) {
    Action action = failure.facts().action();
    return switch (failure) {
      case RateLimited f -> counted(rule, at, new Again(refusedPause(rule, at, dice)));
      case Unreachable f ->
          f.sent() == Unreachable.Sent.NO
              ? counted(rule, at, new Again(pause(rule, at, dice)))
              : unsure(rule, action, at, dice);
      case Unavailable f ->
          f.origin() == Unavailable.Origin.BREAKER ? GIVE_UP : unsure(rule, action, at, dice);
      case TimedOut f -> timedOut(rule, f, at, dice);
      case Unreadable f -> unsure(rule, action, at, dice);
      case Precondition f -> precondition(rule, f, at, dice);
      case BadRequest f -> f.imageMissing() ? whilePassing(rule, at, dice) : GIVE_UP;
      case NameTaken f -> lookIfDoubtful(at);
      case LeaseHeld f -> action == Action.ACQUIRE_LEASE ? lookIfDoubtful(at) : GIVE_UP;
      case VersionConflict f -> action == Action.UPDATE_MACHINE ? lookIfDoubtful(at) : GIVE_UP;
      case NotFound f -> GIVE_UP;
      case NoCapacity f -> GIVE_UP;
      case MachineLimit f -> GIVE_UP;
      case Unauthorised f -> GIVE_UP;
      case Forbidden f -> GIVE_UP;
    };
  }

  /** The answer may be lost while the request was carried out. */
  private static Decision unsure(RetryRule rule, Action action, Standing at, double dice) {
    Duration pause = pause(rule, at, dice);
    return switch (action.repeat()) {
      case READ, IDEMPOTENT -> counted(rule, at, new Again(pause));
      case LOOK_FIRST -> new Look(rule.lookAfter().plus(pause), at.attempt() < rule.attempts());
      case ONCE -> GIVE_UP;
    };
  }

  private static Decision timedOut(RetryRule rule, TimedOut failure, Standing at, double dice) {
    Action action = failure.facts().action();
    return switch (failure.where()) {
      case PACE -> GIVE_UP;
      case WIRE -> unsure(rule, action, at, dice);
      case AT_FLY ->
          action == Action.WAIT ? new Again(Duration.ZERO) : unsure(rule, action, at, dice);
    };
  }

  private static Decision precondition(
      RetryRule rule, Precondition failure, Standing at, double dice) {
    if (failure.facts().action() != Action.START) {
      return GIVE_UP;
    }
    return failure.reason().passes()
        ? whilePassing(rule, at, dice)
        // Sources differ on what Fly answers for a Machine that runs already: see for ourselves.
        : new Look(Duration.ZERO, false);
  }

  private static Decision whilePassing(RetryRule rule, Standing at, double dice) {
    Duration pause = rule.base().multipliedBy(2).plus(jitter(rule.base().multipliedBy(3), dice));
    return at.passing().plus(pause).compareTo(rule.passing()) <= 0 ? new Again(pause) : GIVE_UP;
  }

  /** A refusal that our own lost success would explain. */
  private static Decision lookIfDoubtful(Standing at) {
    return at.doubt() ? new Look(Duration.ZERO, false) : GIVE_UP;
  }

  private static Decision counted(RetryRule rule, Standing at, Decision decision) {
    return at.attempt() < rule.attempts() ? decision : GIVE_UP;
  }

  private static Duration pause(RetryRule rule, Standing at, double dice) {
    return jitter(doubled(rule.base(), at.attempt(), rule.longest()), dice);
  }

  private static Duration refusedPause(RetryRule rule, Standing at, double dice) {
    Duration spread = doubled(rule.refused(), at.attempt(), rule.longest().multipliedBy(2));
    return rule.refused().plus(jitter(spread, dice));
  }

  private static Duration doubled(Duration base, int attempt, Duration longest) {
    Duration grown = base.multipliedBy(1L << Math.clamp(attempt - 1, 0, 20));
    return grown.compareTo(longest) < 0 ? grown : longest;
  }

  private static Duration jitter(Duration most, double dice) {
    return Duration.ofNanos((long) (most.toNanos() * dice));
  }
}
