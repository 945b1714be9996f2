// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

/** Carries a {@link Refusal} through a future. Has no stack trace: it is an answer, not a bug. */
public final class RefusedException extends RuntimeException {
  private final transient Refusal refusal;

  RefusedException(Refusal refusal) {
    super(refusal.getClass().getSimpleName() + ": " + refusal.detail(), null, false, false);
    this.refusal = refusal;
  }

  public Refusal refusal() {
    return refusal;
  }
}
