// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import cupbear.probe.ProbeResult.Closed;
import cupbear.probe.ProbeResult.GuacdReady;
import cupbear.probe.ProbeResult.GuacdReady.Proof;
import cupbear.probe.ProbeResult.ProtocolError;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** One question to guacd, and whether the answer is the right one. */
final class GuacdConversation implements Conversation {

  /** What is asked. */
  enum Question {
    /** A connection id that cannot exist: answered by guacd itself, without a child process. */
    GHOST(ProbeStep.SELECT, "$00000000-0000-0000-0000-000000000000"),
    /** The RDP plugin: guacd forks and loads it, so ask once per boot. */
    PLUGIN(ProbeStep.ARGS, "rdp");

    private final ProbeStep step;
    private final String selected;

    Question(ProbeStep step, String selected) {
      this.step = step;
      this.selected = selected;
    }
  }

  private static final int NO_SUCH_CONNECTION = 516;

  // A connect with the wrong number of arguments: the child ends at once. With any other ending,
  // even a disconnect, it lingers for 15 seconds.
  private static final GuacInstruction END_CHILD = GuacInstruction.of("connect");

  private final Question question;
  private final boolean oldIsAlive;

  GuacdConversation(Question question, boolean oldIsAlive) {
    this.question = question;
    this.oldIsAlive = oldIsAlive;
  }

  @Override
  public Framing framing() {
    return Framing.GUACAMOLE;
  }

  @Override
  public Move begin() {
    return new Move.Say(question.step, GuacInstruction.of("select", question.selected).encode());
  }

  @Override
  public Move hear(ByteBuf frame) {
    try {
      return judge(GuacInstruction.decode(frame));
    } catch (Malformed e) {
      return Move.Conclude.with(e.at(question.step));
    }
  }

  private Move judge(GuacInstruction answer) {
    return switch (question) {
      case GHOST -> {
        boolean expected = answer.opcode().equals("error") && status(answer) == NO_SUCH_CONNECTION;
        yield Move.Conclude.with(
            expected ? new GuacdReady(Proof.NO_SUCH_CONNECTION) : unexpected(answer));
      }
      case PLUGIN ->
          answer.opcode().equals("args")
              ? new Move.Conclude(new GuacdReady(Proof.RDP_PLUGIN), END_CHILD.encode())
              : new Move.Conclude(unexpected(answer), END_CHILD.encode());
    };
  }

  private ProbeResult unexpected(GuacInstruction answer) {
    return new ProtocolError(question.step, Fault.UNEXPECTED_INSTRUCTION, status(answer));
  }

  /** The status of an {@code error}; 0 for anything else, as the text is the server's. */
  private static int status(GuacInstruction answer) {
    if (!answer.opcode().equals("error") || answer.args().size() < 2) return 0;
    String status = answer.args().get(1);
    boolean number = status.length() <= 5 && status.chars().allMatch(c -> c >= '0' && c <= '9');
    return number && !status.isEmpty() ? Integer.parseInt(status) : 0;
  }

  @Override
  public Move secured(String version) {
    throw new IllegalStateException("no TLS was asked for");
  }

  @Override
  public ProbeResult ended(ProbeStep step, Closed.How how, boolean insideFrame) {
    boolean old = step == ProbeStep.SELECT && how == Closed.How.FIN && !insideFrame;
    return old && oldIsAlive
        ? new GuacdReady(Proof.OLD_HANGS_UP)
        : Conversation.super.ended(step, how, insideFrame);
  }

  @Override
  public ByteBuf goodbye() {
    return question == Question.PLUGIN ? END_CHILD.encode() : Unpooled.EMPTY_BUFFER;
  }
}
