// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import io.netty.buffer.ByteBuf;

/**
 * Reads what an RDP server sends up to Demand Active. Pure; every length is checked against what is
 * there. A Disconnect Provider Ultimatum may come in place of anything and is always {@link
 * Fault#MCS_DISCONNECT}.
 */
final class RdpAnswers {

  private static final int TPKT_HEADER = 4;
  private static final int CONNECTION_CONFIRM = 0xD0;
  private static final int DATA = 0xF0;

  private static final int CONNECT_RESPONSE = 0x7F66;
  private static final byte[] GCC_KEY = {'M', 'c', 'D', 'n'};
  private static final int CORE = 0x0C01;
  private static final int NETWORK = 0x0C03;
  private static final int BLOCK_HEADER = 4;

  private static final int CHOICE_MASK = 0xFC;
  private static final int DISCONNECT = 0x20;
  private static final int ATTACH_CONFIRM = 0x2C;
  private static final int JOIN_CONFIRM = 0x3C;
  private static final int SEND_INDICATION = 0x68;
  private static final int WITH_OPTION = 0x02;

  private static final byte[] NTLM_CHALLENGE = {'N', 'T', 'L', 'M', 'S', 'S', 'P', 0, 2, 0, 0, 0};

  private RdpAnswers() {}

  /** The server's choice in the X.224 confirm. */
  sealed interface Confirm {
    /**
     * @param flags what else the server says it can do
     */
    record Chosen(Selected selected, int flags) implements Confirm {}

    record Declined(long code) implements Confirm {}
  }

  static Confirm confirm(ByteBuf frame, RdpOffer offer) throws Malformed {
    Octets in = new Octets(frame, Fault.BAD_TPDU).skip(TPKT_HEADER);
    int rest = in.left() - 1;
    int length = in.u8();
    int code = in.u8();
    if (code == DATA) refuseUltimatum(in.skip(1));
    if (code != CONNECTION_CONFIRM || length != rest) throw new Malformed(Fault.BAD_TPDU);
    in.skip(5);
    if (in.left() == 0) return new Confirm.Chosen(Selected.UNSAID, 0);
    if (in.left() != 8) throw new Malformed(Fault.BAD_NEGOTIATION);
    int type = in.u8();
    int flags = in.u8();
    if (in.u16le() != 8) throw new Malformed(Fault.BAD_NEGOTIATION);
    long value = in.u32le();
    return switch (type) {
      case 2 -> new Confirm.Chosen(selected(value, offer), flags);
      case 3 -> new Confirm.Declined(value);
      default -> throw new Malformed(Fault.BAD_NEGOTIATION);
    };
  }

  /** Standard security may be selected although it never stands in an offer. */
  private static Selected selected(long value, RdpOffer offer) throws Malformed {
    for (Selected each : Selected.values()) {
      boolean offered = value == 0 || (offer.bits() & value) != 0;
      if (each != Selected.UNSAID && each.bits() == value && offered) return each;
    }
    throw new Malformed(Fault.UNOFFERED_PROTOCOL, value);
  }

  /** The I/O channel's number, out of the MCS Connect-Response. */
  static int connectResponse(ByteBuf frame, RdpOffer offer, Selected selected) throws Malformed {
    Octets mcs = mcs(frame, Fault.UNEXPECTED_PDU);
    int head = mcs.u8();
    refuseUltimatum(head, mcs);
    if ((head << 8 | mcs.u8()) != CONNECT_RESPONSE) throw new Malformed(Fault.UNEXPECTED_PDU);
    Octets in = new Octets(frame, Fault.BAD_BLOCK);
    if (in.berLength() != in.left()) throw new Malformed(Fault.BAD_BLOCK);
    if (in.u8() != 0x0A || in.berLength() != 1) throw new Malformed(Fault.BAD_BLOCK);
    int result = in.u8();
    if (result != 0) throw new Malformed(Fault.MCS_RESULT, result);
    skipElement(in, 0x02);
    skipElement(in, 0x30);
    if (in.u8() != 0x04) throw new Malformed(Fault.BAD_BLOCK);
    Octets user = in.part(in.berLength());
    // The length in front of the key is a constant in xrdp, whatever follows: not to be trusted.
    user.seek(GCC_KEY);
    return blocks(user.part(user.perLength()), offer, selected);
  }

  private static int blocks(Octets in, RdpOffer offer, Selected selected) throws Malformed {
    int ioChannel = 0;
    while (in.left() > 0) {
      int type = in.u16le();
      Octets block = in.part(in.u16le() - BLOCK_HEADER);
      if (type == CORE) {
        block.skip(4);
        boolean echoed = block.left() < 4 || block.u32le() == offer.bits();
        if (!echoed && selected != Selected.UNSAID) throw new Malformed(Fault.BAD_NEGOTIATION);
      } else if (type == NETWORK) {
        ioChannel = block.u16le();
        block.skip(2 * block.u16le());
      }
    }
    if (ioChannel == 0) throw new Malformed(Fault.BAD_BLOCK);
    return ioChannel;
  }

  private static void skipElement(Octets in, int tag) throws Malformed {
    if (in.u8() != tag) throw new Malformed(Fault.BAD_BLOCK);
    in.skip(in.berLength());
  }

  /** The initiator that the server gave us. */
  static int attachConfirm(ByteBuf frame) throws Malformed {
    Octets in = mcs(frame, Fault.UNEXPECTED_PDU);
    int head = choice(in, ATTACH_CONFIRM);
    int result = in.u8();
    if (result != 0) throw new Malformed(Fault.ATTACH_REFUSED, result);
    if ((head & WITH_OPTION) == 0) throw new Malformed(Fault.UNEXPECTED_PDU);
    return in.u16();
  }

  static void joinConfirm(ByteBuf frame, int channel) throws Malformed {
    Octets in = mcs(frame, Fault.UNEXPECTED_PDU);
    int head = choice(in, JOIN_CONFIRM);
    int result = in.u8();
    if (result != 0) throw new Malformed(Fault.JOIN_REFUSED, result);
    in.skip(2);
    boolean mine = in.u16() == channel;
    if (!mine || ((head & WITH_OPTION) != 0 && in.u16() != channel)) {
      throw new Malformed(Fault.UNEXPECTED_PDU);
    }
  }

  /** What a server may say once it has the login request. */
  enum Login {
    LICENSE_REQUEST,
    VALID_CLIENT,
    DEMAND_ACTIVE,
    /** Error info that says there is no error. */
    NO_ERROR
  }

  static Login login(ByteBuf frame, int ioChannel) throws Malformed {
    Octets in = mcs(frame, Fault.UNEXPECTED_PDU);
    choice(in, SEND_INDICATION);
    in.skip(2);
    if (in.u16() != ioChannel) throw new Malformed(Fault.UNEXPECTED_PDU);
    in.skip(1);
    Octets data = in.part(in.perLength());
    int octets = data.left();
    int first = data.u16le();
    int second = data.u16le();
    // Licensing comes behind a security header, share PDUs come without one under TLS.
    boolean share = first == octets && (second & 0xFFF0) == 0x10;
    if (share) return share(second & 0xF, data);
    if ((first & 0x80) == 0) throw new Malformed(Fault.UNEXPECTED_PDU);
    return licensing(data);
  }

  private static Login licensing(Octets in) throws Malformed {
    int type = in.u8();
    in.skip(3);
    if (type == 0x01) return Login.LICENSE_REQUEST;
    if (type != 0xFF) throw new Malformed(Fault.UNEXPECTED_PDU);
    long code = in.u32le();
    if (code != 7) throw new Malformed(Fault.LICENSE_ERROR, code);
    return Login.VALID_CLIENT;
  }

  private static Login share(int type, Octets in) throws Malformed {
    in.skip(2);
    if (type == 1) {
      in.skip(4);
      return Login.DEMAND_ACTIVE;
    }
    // Share id, pad, stream, uncompressed length; then the type of the data.
    if (type != 7 || in.skip(8).u8() != 0x2F) throw new Malformed(Fault.UNEXPECTED_PDU);
    long code = in.skip(3).u32le();
    if (code != 0) throw new Malformed(Fault.ERROR_INFO, code);
    return Login.NO_ERROR;
  }

  static void credSspChallenge(ByteBuf frame) throws Malformed {
    if (new Octets(frame, Fault.NOT_CREDSSP).find(NTLM_CHALLENGE) < 0) {
      throw new Malformed(Fault.NOT_CREDSSP);
    }
  }

  /** What follows the X.224 data header. */
  private static Octets mcs(ByteBuf frame, Fault whenShort) throws Malformed {
    Octets in = new Octets(frame, whenShort).skip(TPKT_HEADER);
    if (in.left() < 4 || in.u8() != 2 || in.u8() != DATA || in.u8() != 0x80) {
      throw new Malformed(Fault.BAD_TPDU);
    }
    return in;
  }

  private static int choice(Octets in, int wanted) throws Malformed {
    int head = in.u8();
    refuseUltimatum(head, in);
    if ((head & CHOICE_MASK) != wanted) throw new Malformed(Fault.UNEXPECTED_PDU);
    return head;
  }

  private static void refuseUltimatum(Octets in) throws Malformed {
    if (in.left() >= 1) refuseUltimatum(in.u8(), in);
  }

  /** The reason's three bits straddle the octets. */
  private static void refuseUltimatum(int head, Octets in) throws Malformed {
    if ((head & CHOICE_MASK) == DISCONNECT && in.left() >= 1) {
      throw new Malformed(Fault.MCS_DISCONNECT, (head & 3) << 1 | in.u8() >> 7);
    }
  }
}
