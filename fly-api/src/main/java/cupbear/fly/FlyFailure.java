// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import java.time.Instant;

/**
 * Every way in which Fly, or the way to Fly, can refuse. Made by {@link Failures}; never holds a
 * token, a nonce or the body of a request.
 */
public sealed interface FlyFailure {

  /** What was asked, and what came back. */
  Facts facts();

  /** What the caller, or a person, does next. */
  String advice();

  /** The closed name of this failure, for metric labels. */
  Outcome outcome();

  /**
   * @param app empty for calls to the organisation or the platform
   * @param machine empty for calls to an app
   * @param status HTTP status; 0 when there was no answer
   * @param requestId what Fly's support asks for; empty when there was no answer
   * @param detail Fly's own words, shortened and with secrets masked
   * @param maybeDone true when some attempt of this call may have been carried out all the same
   */
  record Facts(
      Action action,
      String app,
      String machine,
      int status,
      String requestId,
      String detail,
      boolean maybeDone) {

    static Facts about(Action action, String app, String machine) {
      return new Facts(action, app, machine, 0, "", "", false);
    }

    Facts answered(int httpStatus, String flyRequestId, String text) {
      return new Facts(action, app, machine, httpStatus, flyRequestId, text, maybeDone);
    }

    Facts saying(String text) {
      return new Facts(action, app, machine, status, requestId, text, maybeDone);
    }

    Facts maybeDone(boolean doubt) {
      return new Facts(action, app, machine, status, requestId, detail, doubt);
    }
  }

  /** What happened, to whom, and what to do next, in one line. */
  default String sentence() {
    Facts facts = facts();
    StringBuilder line = new StringBuilder(facts.action().label());
    if (!facts.machine().isEmpty()) {
      line.append(" of Machine ").append(facts.machine());
    }
    if (!facts.app().isEmpty()) {
      line.append(" in app ").append(facts.app());
    }
    line.append(": ").append(outcome().label()).append(". ").append(advice());
    if (facts.maybeDone()) {
      line.append(" It may have been carried out all the same.");
    }
    if (facts.status() > 0) {
      line.append(" [HTTP ").append(facts.status());
      line.append(", fly-request-id ");
      line.append(facts.requestId().isEmpty() ? "absent" : facts.requestId()).append(']');
    }
    if (!facts.detail().isEmpty()) {
      line.append(' ').append(facts.detail());
    }
    return line.toString();
  }

  /** Fly's pace was exceeded, by us or by somebody with the same app. */
  record RateLimited(Facts facts) implements FlyFailure {
    @Override
    public String advice() {
      return "Ask less often, or give the call more time; the pace adapts by itself.";
    }

    @Override
    public Outcome outcome() {
      return Outcome.RATE_LIMITED;
    }
  }

  /** No such Machine, app, lease or key. */
  record NotFound(Facts facts) implements FlyFailure {
    @Override
    public String advice() {
      return "It is gone or never was; replace it, or check the names.";
    }

    @Override
    public Outcome outcome() {
      return Outcome.NOT_FOUND;
    }
  }

  /**
   * Somebody else holds the Machine.
   *
   * @param owner empty when Fly did not say
   * @param until the epoch when Fly did not say
   */
  record LeaseHeld(Facts facts, String owner, Instant until) implements FlyFailure {
    @Override
    public String advice() {
      return "Held by "
          + (owner.isEmpty() ? "somebody" : owner)
          + (until.equals(Instant.EPOCH) ? "" : " until " + until)
          + "; take another Machine or come back later (clear a dead lease with"
          + " `fly machine leases clear`).";
    }

    @Override
    public Outcome outcome() {
      return Outcome.LEASE_HELD;
    }
  }

  /**
   * The name is in use.
   *
   * @param holder id of the Machine that has it; empty for an app, or when Fly did not say
   */
  record NameTaken(Facts facts, String holder) implements FlyFailure {
    @Override
    public String advice() {
      return holder.isEmpty()
          ? "Choose another name."
          : "Machine " + holder + " has it: adopt that one, or choose another name.";
    }

    @Override
    public Outcome outcome() {
      return Outcome.NAME_TAKEN;
    }
  }

  /** Fly has no room. */
  record NoCapacity(Facts facts, Scope scope) implements FlyFailure {

    /** How far the shortage reaches. */
    public enum Scope {
      REGION,
      HOST,
      VOLUME
    }

    @Override
    public String advice() {
      return switch (scope) {
        case REGION -> "The region is full: take another region, or a list ending in an alias.";
        case HOST -> "Its host is full: create a fresh Machine in the region, destroy this one.";
        case VOLUME -> "The volume's host is full: fork the volume, or do without.";
      };
    }

    @Override
    public Outcome outcome() {
      return Outcome.NO_CAPACITY;
    }
  }

  /** The Machine is not in a state for this. */
  record Precondition(Facts facts, Reason reason) implements FlyFailure {

    /** Which; the first three pass within seconds. */
    public enum Reason {
      STILL_ACTIVE,
      REPLACING,
      NOT_READY,
      STILL_STARTING,
      NOT_RUNNING,
      NOT_STOPPED,
      OTHER;

      boolean passes() {
        return this == STILL_ACTIVE || this == REPLACING || this == NOT_READY;
      }
    }

    @Override
    public String advice() {
      return switch (reason) {
        case STILL_ACTIVE -> "Its last run is still being cleared away; try again in some seconds.";
        case REPLACING -> "It is being replaced; wait until that has settled, then start.";
        case NOT_READY -> "Its image is still being unpacked; try again in some seconds.";
        case STILL_STARTING -> "It is starting already; wait for started.";
        case NOT_RUNNING -> "Start it first.";
        case NOT_STOPPED -> "Stop it first, or destroy with force.";
        case OTHER -> "Read the Machine and decide from its state.";
      };
    }

    @Override
    public Outcome outcome() {
      return Outcome.PRECONDITION;
    }
  }

  /** Somebody changed the Machine since it was read. */
  record VersionConflict(Facts facts) implements FlyFailure {
    @Override
    public String advice() {
      return "Read the Machine again and decide anew.";
    }

    @Override
    public Outcome outcome() {
      return Outcome.VERSION_CONFLICT;
    }
  }

  /** The organisation may have no more Machines. */
  record MachineLimit(Facts facts) implements FlyFailure {
    @Override
    public String advice() {
      return "Destroy Machines, or ask Fly's billing to raise the organisation's limit.";
    }

    @Override
    public Outcome outcome() {
      return Outcome.MACHINE_LIMIT;
    }
  }

  /** The token is missing, malformed, expired or unknown. */
  record Unauthorised(Facts facts) implements FlyFailure {
    @Override
    public String advice() {
      return "Check the Fly token: `fly tokens create deploy -a APP`. Repeating will not help.";
    }

    @Override
    public Outcome outcome() {
      return Outcome.UNAUTHORISED;
    }
  }

  /** The token is good, but not for this. */
  record Forbidden(Facts facts) implements FlyFailure {
    @Override
    public String advice() {
      return "The token does not cover this app or action; use one that does.";
    }

    @Override
    public Outcome outcome() {
      return Outcome.FORBIDDEN;
    }
  }

  /** The time was over. */
  record TimedOut(Facts facts, Where where) implements FlyFailure {

    /** Where the time went. */
    public enum Where {
      /** In our own queue; nothing was sent. */
      PACE,
      /** Sent, and no answer came. */
      WIRE,
      /** Fly answered that it waited in vain: for a state, or for the Machine's host. */
      AT_FLY
    }

    @Override
    public String advice() {
      return switch (where) {
        case PACE -> "Too many calls of this kind wait already; nothing was sent. Ask for fewer.";
        case WIRE -> "No answer in time; read before repeating.";
        case AT_FLY -> "Fly waited in vain; read the Machine and look at its host_status.";
      };
    }

    @Override
    public Outcome outcome() {
      return Outcome.TIMED_OUT;
    }
  }

  /** No way to Fly. */
  record Unreachable(Facts facts, Sent sent) implements FlyFailure {

    /** Whether Fly can have seen the request. */
    public enum Sent {
      NO,
      MAYBE
    }

    @Override
    public String advice() {
      return switch (sent) {
        case NO -> "The request was not sent: check the API address, DNS and WireGuard.";
        case MAYBE -> "The connection broke after sending; read before repeating.";
      };
    }

    @Override
    public Outcome outcome() {
      return Outcome.UNREACHABLE;
    }
  }

  /** Fly has trouble of its own. */
  record Unavailable(Facts facts, Origin origin) implements FlyFailure {

    /** Who says so. */
    public enum Origin {
      /** Fly answered 5xx. */
      FLY,
      /** We did not ask: too many calls failed just now. */
      BREAKER
    }

    @Override
    public String advice() {
      return switch (origin) {
        case FLY -> "Trouble at Fly; mostly over in seconds (status.flyio.net).";
        case BREAKER -> "Not sent: the last calls failed. Asked again in some seconds.";
      };
    }

    @Override
    public Outcome outcome() {
      return Outcome.UNAVAILABLE;
    }
  }

  /**
   * Fly does not understand, or does not want, the request.
   *
   * @param imageMissing true when the image is not there (yet): normal just after a push
   */
  record BadRequest(Facts facts, boolean imageMissing) implements FlyFailure {
    @Override
    public String advice() {
      return imageMissing
          ? "The registry does not know the image; check its name and digest."
          : "Correct the request; repeating it will not help.";
    }

    @Override
    public Outcome outcome() {
      return Outcome.BAD_REQUEST;
    }
  }

  /** An answer that is not what the API promises. */
  record Unreadable(Facts facts) implements FlyFailure {
    @Override
    public String advice() {
      return "Is the API address right, and no proxy in between? Otherwise report it to us.";
    }

    @Override
    public Outcome outcome() {
      return Outcome.UNREADABLE;
    }
  }

  /** The same failure with other facts. */
  default FlyFailure with(Facts other) {
    return switch (this) {
      case RateLimited f -> new RateLimited(other);
      case NotFound f -> new NotFound(other);
      case LeaseHeld f -> new LeaseHeld(other, f.owner(), f.until());
      case NameTaken f -> new NameTaken(other, f.holder());
      case NoCapacity f -> new NoCapacity(other, f.scope());
      case Precondition f -> new Precondition(other, f.reason());
      case VersionConflict f -> new VersionConflict(other);
      case MachineLimit f -> new MachineLimit(other);
      case Unauthorised f -> new Unauthorised(other);
      case Forbidden f -> new Forbidden(other);
      case TimedOut f -> new TimedOut(other, f.where());
      case Unreachable f -> new Unreachable(other, f.sent());
      case Unavailable f -> new Unavailable(other, f.origin());
      case BadRequest f -> new BadRequest(other, f.imageMissing());
      case Unreadable f -> new Unreadable(other);
    };
  }
}
