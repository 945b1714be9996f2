// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

/**
 * The one exception that a failed Future of this client carries. Ask for {@link #failure} and
 * switch over it. It has no stack trace: that of an event loop says nothing.
 */
public final class FlyException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient FlyFailure failure;

  public FlyException(FlyFailure failure) {
    super(failure.sentence(), null, false, false);
    this.failure = failure;
  }

  public FlyFailure failure() {
    return failure;
  }
}
