// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

/**
 * How a call to Fly ends when it was not done: the failure of the futures of {@link Machines}. Has
 * no stack trace, since it tells of the wire and not of our code.
 */
public final class FlyTrouble extends RuntimeException {
  /** What follows from it. */
  public enum Kind {
    /** No room in the region: try later or elsewhere. */
    NO_CAPACITY,
    /** No room on its host: this Machine will not start, a new one may. */
    HOST_FULL,
    /** Fly does not have this Machine. */
    GONE,
    /** Not in this state, or leased by somebody else: try again soon. */
    BUSY,
    /** Too many calls: try again later. */
    LIMITED,
    /** The token may not do this, or the order is wrong: trying again does not help. */
    DENIED,
    /** Sent, and the answer was lost: it may have been done. */
    UNSURE,
    /** Not done: Fly cannot be reached or is out of order. */
    UNAVAILABLE
  }

  private final Kind kind;

  public FlyTrouble(Kind kind, String detail) {
    super(detail, null, false, false);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
