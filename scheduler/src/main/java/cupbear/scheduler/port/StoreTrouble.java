// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

/**
 * How a call to the store ends when the store cannot answer it: the failure of the futures of
 * {@link Claims}, {@link Book}, {@link Recovery}, {@link Leadership} and {@link Journal}. Has no
 * stack trace, since it tells of the wire and not of our code.
 */
public final class StoreTrouble extends RuntimeException {
  /** What is known about the call. */
  public enum Kind {
    /** It was not carried out. */
    UNREACHABLE,
    /** It was sent; nobody knows whether it was carried out. Repeat it as it was. */
    UNSURE,
    /** Too much is waiting already; it was not sent. */
    OVERLOADED,
    /** The store lost data and is being rebuilt; it was not carried out. */
    RECOVERING,
    /** Somebody else leads by now; it was refused. */
    FENCED
  }

  private final Kind kind;

  public StoreTrouble(Kind kind, String detail) {
    super(detail, null, false, false);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
