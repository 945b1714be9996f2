// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import io.netty.buffer.ByteBuf;

/**
 * How a stream is cut into frames. Pure: looks at what has come and says how long the first frame
 * is, as early as that can be known. What cannot be a frame is refused at its first wrong octet,
 * not when a made-up length has run out.
 */
enum Framing {
  /** RDP: {@code 03 00} and the length of the whole. */
  TPKT {
    @Override
    int length(ByteBuf in) throws Malformed {
      int have = in.readableBytes();
      int start = in.readerIndex();
      if (have >= 1 && in.getUnsignedByte(start) != 3) throw new Malformed(Fault.NOT_TPKT);
      if (have < TPKT_HEADER) return TPKT_HEADER;
      int length = in.getUnsignedShort(start + 2);
      if (length < TPKT_MIN || length > FRAME_MAX) throw new Malformed(Fault.BAD_LENGTH);
      return length;
    }
  },
  /** CredSSP: one DER sequence. */
  DER {
    @Override
    int length(ByteBuf in) throws Malformed {
      int have = in.readableBytes();
      int start = in.readerIndex();
      if (have >= 1 && in.getByte(start) != 0x30) throw new Malformed(Fault.NOT_CREDSSP);
      if (have < 2) return 2;
      int first = in.getUnsignedByte(start + 1);
      if (first < 0x80) return 2 + first;
      int more = first & 0x7F;
      if (more < 1 || more > 2) throw new Malformed(Fault.BAD_LENGTH);
      if (have < 2 + more) return 2 + more;
      int body = more == 1 ? in.getUnsignedByte(start + 2) : in.getUnsignedShort(start + 2);
      if (body > FRAME_MAX) throw new Malformed(Fault.BAD_LENGTH);
      return 2 + more + body;
    }
  },
  /** guacd: elements counted in code points, up to a semicolon. */
  GUACAMOLE {
    @Override
    int length(ByteBuf in) throws Malformed {
      return GuacInstruction.length(in);
    }
  };

  /** The largest frame of any kind; far beyond what a handshake needs. */
  static final int FRAME_MAX = 16_384;

  private static final int TPKT_HEADER = 4;
  private static final int TPKT_MIN = 7;

  /**
   * Octets of the first frame, as far as they are known: when more than have come, at least that
   * many are needed. Never beyond {@link #FRAME_MAX} and a header.
   */
  abstract int length(ByteBuf in) throws Malformed;
}
