// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** What a {@link Conversation} wants done next. Its buffers are heap memory: if unsent, garbage. */
sealed interface Move {

  /** Send these octets and wait for the answer. */
  record Say(ProbeStep step, ByteBuf octets) implements Move {}

  /** Wait for another answer; a step that goes on keeps its deadline. */
  record Listen(ProbeStep step) implements Move {}

  /** Start TLS on this socket and cut what comes out of it like this. */
  record StartTls(Framing then) implements Move {}

  /**
   * That is the verdict.
   *
   * @param goodbye what makes the server end its side cleanly; empty when just closing does
   */
  record Conclude(ProbeResult result, ByteBuf goodbye) implements Move {

    static Conclude with(ProbeResult result) {
      return new Conclude(result, Unpooled.EMPTY_BUFFER);
    }
  }
}
