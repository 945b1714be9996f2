// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

/**
 * Ends the handling of a call with an answer that is not a success. Thrown, because a call may be
 * refused at any depth, and caught in one place ({@link World#call}); it never leaves this package.
 */
final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Reply reply;

  Refusal(Reply reply) {
    super(reply.toString(), null, false, false);
    this.reply = reply;
  }

  Reply reply() {
    return reply;
  }
}
