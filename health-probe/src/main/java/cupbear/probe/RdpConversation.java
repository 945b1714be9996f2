// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import cupbear.probe.ProbeResult.NegotiationFailure;
import cupbear.probe.ProbeResult.Ready;
import cupbear.probe.ProbeResult.ReadyNla;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * The state machine of an RDP client that asks for as much as a server answers without credentials,
 * and not for more: it never confirms Demand Active, so no session can begin.
 */
final class RdpConversation implements Conversation {

  // xrdp and FreeRDP say no more than this of themselves; Windows does.
  private static final int FLAGS_OF_XRDP = 0x03;
  private static final String NO_TLS = "none";

  private final RdpSettings settings;
  private ProbeStep step = ProbeStep.X224;
  private Selected selected = Selected.UNSAID;
  private String tls = NO_TLS;
  private boolean stopAtTls;
  private int initiator;
  private int ioChannel;

  RdpConversation(RdpSettings settings) {
    this.settings = settings;
  }

  @Override
  public Framing framing() {
    return Framing.TPKT;
  }

  @Override
  public Move begin() {
    return say(ProbeStep.X224, RdpRequests.connectionRequest(settings.offer()));
  }

  @Override
  public Move hear(ByteBuf frame) {
    try {
      return answer(frame);
    } catch (Malformed e) {
      return new Move.Conclude(e.at(step), goodbye());
    }
  }

  private Move answer(ByteBuf frame) throws Malformed {
    return switch (step) {
      case X224 -> negotiated(RdpAnswers.confirm(frame, settings.offer()));
      case MCS -> {
        ioChannel = RdpAnswers.connectResponse(frame, settings.offer(), selected);
        yield say(ProbeStep.ATTACH, RdpRequests.erectDomainAndAttachUser());
      }
      case ATTACH -> {
        initiator = RdpAnswers.attachConfirm(frame);
        yield join(ProbeStep.JOIN_USER, RdpRequests.userChannel(initiator));
      }
      case JOIN_USER -> {
        RdpAnswers.joinConfirm(frame, RdpRequests.userChannel(initiator));
        yield join(ProbeStep.JOIN_IO, ioChannel);
      }
      case JOIN_IO -> {
        RdpAnswers.joinConfirm(frame, ioChannel);
        yield joined();
      }
      case LOGIN, DEMAND -> loggedIn(RdpAnswers.login(frame, ioChannel));
      case CREDSSP -> {
        RdpAnswers.credSspChallenge(frame);
        yield Move.Conclude.with(new ReadyNla(true, selected, tls));
      }
      case CONNECT, SELECT, ARGS, TLS -> throw new Malformed(Fault.UNEXPECTED_PDU);
    };
  }

  private Move negotiated(RdpAnswers.Confirm confirm) {
    return switch (confirm) {
      case RdpAnswers.Confirm.Declined declined ->
          Move.Conclude.with(new NegotiationFailure(declined.code()));
      case RdpAnswers.Confirm.Chosen chosen -> {
        selected = chosen.selected();
        stopAtTls = stopsAtTls(chosen.flags());
        yield afterChoice();
      }
    };
  }

  /** A bare confirm is no proof: a TLS-only xrdp sends it and hangs up next. So go on. */
  private Move afterChoice() {
    if (settings.depth() == Depth.NEGOTIATE && selected != Selected.UNSAID) {
      return Move.Conclude.with(new Ready(Depth.NEGOTIATE, selected, NO_TLS));
    }
    if (selected.downgraded()) return connect();
    step = ProbeStep.TLS;
    return new Move.StartTls(selected.nla() ? Framing.DER : Framing.TPKT);
  }

  private boolean stopsAtTls(int flags) {
    return settings.depth() == Depth.TLS
        || switch (settings.host()) {
          case AUTO -> (flags & ~FLAGS_OF_XRDP) != 0;
          case XRDP -> false;
          case WINDOWS -> true;
        };
  }

  @Override
  public Move secured(String version) {
    tls = version;
    if (selected.nla()) {
      return settings.challenge()
          ? say(ProbeStep.CREDSSP, RdpRequests.credSspNegotiate())
          : Move.Conclude.with(new ReadyNla(false, selected, tls));
    }
    return stopAtTls ? Move.Conclude.with(new Ready(Depth.TLS, selected, tls)) : connect();
  }

  private Move connect() {
    return say(ProbeStep.MCS, RdpRequests.connectInitial(selected));
  }

  private Move join(ProbeStep next, int channel) {
    return say(next, RdpRequests.joinChannel(initiator, channel));
  }

  /**
   * Under standard security the joins are the end: the server's RSA key has come by then, and RC4
   * in a health probe would prove nothing more.
   */
  private Move joined() {
    if (selected.downgraded() || settings.depth() != Depth.LOGIN) return ready(Depth.JOINS);
    return say(ProbeStep.LOGIN, RdpRequests.clientInfo(initiator, ioChannel));
  }

  private Move loggedIn(RdpAnswers.Login answer) throws Malformed {
    return switch (answer) {
      case NO_ERROR -> new Move.Listen(step);
      case LICENSE_REQUEST -> ready(Depth.LOGIN);
      case DEMAND_ACTIVE -> ready(Depth.LOGIN);
      case VALID_CLIENT -> {
        if (step == ProbeStep.DEMAND) throw new Malformed(Fault.UNEXPECTED_PDU);
        step = ProbeStep.DEMAND;
        yield new Move.Listen(step);
      }
    };
  }

  private Move ready(Depth reached) {
    return new Move.Conclude(new Ready(reached, selected, tls), RdpRequests.ultimatum());
  }

  private Move say(ProbeStep next, ByteBuf octets) {
    step = next;
    return new Move.Say(next, octets);
  }

  @Override
  public ByteBuf goodbye() {
    return switch (step) {
      case CONNECT, SELECT, ARGS, X224, TLS, CREDSSP -> Unpooled.EMPTY_BUFFER;
      case MCS, ATTACH, JOIN_USER, JOIN_IO, LOGIN, DEMAND -> RdpRequests.ultimatum();
    };
  }
}
