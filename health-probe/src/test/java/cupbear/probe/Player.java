// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Plays a server's octets to a conversation without a socket, and keeps what it said. TLS is taken
 * for granted: recordings hold what is inside it.
 */
final class Player {

  static final String TLS = "TLSv1.3";

  private final Conversation talk;
  private final ByteBuf unread = Unpooled.buffer();
  final List<String> said = new ArrayList<>();
  private Framing framing;
  private ProbeStep step = ProbeStep.CONNECT;
  private Optional<Move.Conclude> end = Optional.empty();

  Player(Conversation talk) {
    this.talk = talk;
    this.framing = talk.framing();
    perform(talk.begin());
  }

  /** What comes from the server, in any pieces. */
  void hear(byte[] octets) {
    unread.writeBytes(octets);
    try {
      while (end.isEmpty() && unread.isReadable()) {
        int length = framing.length(unread);
        if (length > unread.readableBytes()) return;
        perform(talk.hear(unread.readSlice(length)));
      }
    } catch (Malformed e) {
      end = Optional.of(Move.Conclude.with(e.at(step)));
    }
  }

  private void perform(Move move) {
    switch (move) {
      case Move.Say say -> {
        step = say.step();
        said.add(ByteBufUtil.hexDump(say.octets()));
      }
      case Move.Listen listen -> step = listen.step();
      case Move.StartTls start -> {
        framing = start.then();
        perform(talk.secured(TLS));
      }
      case Move.Conclude conclude -> end = Optional.of(conclude);
    }
  }

  ProbeStep step() {
    return step;
  }

  boolean ended() {
    return end.isPresent();
  }

  ProbeResult result() {
    return end.orElseThrow(() -> new AssertionError("no verdict, still at " + step)).result();
  }

  String goodbye() {
    return ByteBufUtil.hexDump(end.orElseThrow().goodbye());
  }

  int unreadOctets() {
    return unread.readableBytes();
  }
}
