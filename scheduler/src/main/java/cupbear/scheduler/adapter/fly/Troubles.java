// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.fly;

import cupbear.fly.Action;
import cupbear.fly.FlyException;
import cupbear.fly.FlyFailure;
import cupbear.fly.FlyFailure.NoCapacity;
import cupbear.fly.FlyFailure.TimedOut;
import cupbear.scheduler.port.FlyTrouble;
import cupbear.scheduler.port.FlyTrouble.Kind;

/** What a failure of Fly's means for us. Pure. */
final class Troubles {
  private Troubles() {}

  /** Whatever a call to Fly failed with, as the one thing that {@code Machines} may fail with. */
  static FlyTrouble of(Throwable cause) {
    if (cause instanceof FlyTrouble told) return told;
    if (cause instanceof FlyException fly) {
      return new FlyTrouble(kind(fly.failure()), fly.failure().sentence());
    }
    // Not Fly's doing but ours; said by its class alone, as its text may hold anything.
    return new FlyTrouble(
        Kind.UNAVAILABLE, "the Fly adapter broke: " + cause.getClass().getSimpleName());
  }

  static Kind kind(FlyFailure failure) {
    Kind plain = plain(failure);
    if (!failure.facts().maybeDone()) return plain;
    // Nobody knows yet whether an earlier attempt made one: the list may lag.
    if (failure.facts().action() == Action.CREATE_MACHINE) return Kind.UNSURE;
    return switch (plain) {
      // Said about the Machine as it is now, so an earlier attempt has not helped.
      case GONE, BUSY, HOST_FULL, NO_CAPACITY -> plain;
      case LIMITED, DENIED, UNSURE, UNAVAILABLE -> Kind.UNSURE;
    };
  }

  private static Kind plain(FlyFailure failure) {
    return switch (failure) {
      case FlyFailure.RateLimited any -> Kind.LIMITED;
      // Without a Machine it is the app that is missing, and no repeat will bring it.
      case FlyFailure.NotFound f -> f.facts().machine().isEmpty() ? Kind.DENIED : Kind.GONE;
      case FlyFailure.LeaseHeld any -> Kind.BUSY;
      case FlyFailure.NameTaken any -> Kind.BUSY;
      case NoCapacity f -> f.scope() == NoCapacity.Scope.HOST ? Kind.HOST_FULL : Kind.NO_CAPACITY;
      // Room comes back when Machines go, as it does in a region.
      case FlyFailure.MachineLimit any -> Kind.NO_CAPACITY;
      case FlyFailure.Precondition any -> Kind.BUSY;
      case FlyFailure.VersionConflict any -> Kind.BUSY;
      case FlyFailure.Unauthorised any -> Kind.DENIED;
      case FlyFailure.Forbidden any -> Kind.DENIED;
      case FlyFailure.BadRequest any -> Kind.DENIED;
      case TimedOut f -> f.where() == TimedOut.Where.PACE ? Kind.LIMITED : Kind.UNAVAILABLE;
      case FlyFailure.Unreachable any -> Kind.UNAVAILABLE;
      case FlyFailure.Unavailable any -> Kind.UNAVAILABLE;
      case FlyFailure.Unreadable any -> Kind.UNAVAILABLE;
    };
  }
}
