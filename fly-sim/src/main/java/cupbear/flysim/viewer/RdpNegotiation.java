// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;

/**
 * The X.224 opening: reads which protocols a client offers and decides what the server makes of it,
 * row by row as the recorded servers did. Pure.
 */
final class RdpNegotiation {

  /** What follows the answer. */
  enum Next {
    TLS,
    /** TLS, then CredSSP. */
    NLA,
    STANDARD,
    HANG_UP,
    /** The MCS ultimatum, then the end. */
    ULTIMATUM
  }

  /**
   * @param confirm the X.224 confirm, empty when the server sends none
   */
  record Answer(ByteBuf confirm, Next next) {}

  static final int TLS = 1;
  static final int HYBRID = 2;

  private static final int RDSTLS = 4;
  private static final int HYBRID_EX = 8;
  private static final int KNOWN = TLS | HYBRID | RDSTLS | HYBRID_EX;

  private static final int SSL_REQUIRED = 1;
  private static final int CERTIFICATE_MISSING = 3;
  private static final int HYBRID_REQUIRED = 5;

  private static final int CONNECTION_REQUEST = 0xE0;
  private static final int CONNECTION_CONFIRM = 0xD0;
  private static final int FIXED_PART = 7;
  private static final int NEGOTIATION_REQUEST = 1;
  private static final int NEGOTIATION_OCTETS = 8;
  private static final int NEGOTIATION_RESPONSE = 2;
  private static final int NEGOTIATION_FAILURE = 3;
  private static final byte[] COOKIE_END = "\r\n".getBytes(StandardCharsets.US_ASCII);

  // Source references as recorded: a client can tell the servers apart by them, and must not care.
  private static final int XRDP = 0x1234;
  private static final int FREERDP = 0;

  private RdpNegotiation() {}

  /** Whether this is an X.224 connection request that fills its frame. */
  static boolean isRequest(ByteBuf frame) {
    return frame.readableBytes() >= FIXED_PART
        && frame.getUnsignedByte(frame.readerIndex()) == frame.readableBytes() - 1
        && frame.getUnsignedByte(frame.readerIndex() + 1) == CONNECTION_REQUEST;
  }

  /** The protocol bits offered; empty when the request carries no negotiation. */
  static OptionalInt offered(ByteBuf request) {
    ByteBuf rest = request.slice().skipBytes(FIXED_PART);
    int cookie = indexOf(rest, COOKIE_END);
    if (cookie >= 0) {
      rest.readerIndex(cookie + COOKIE_END.length);
    }
    if (rest.readableBytes() < NEGOTIATION_OCTETS || rest.readByte() != NEGOTIATION_REQUEST) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(rest.skipBytes(3).readIntLE());
  }

  static Answer answer(RdpSecurity security, OptionalInt offered) {
    if (security == RdpSecurity.NLA_ONLY) {
      return (offered.orElse(0) & HYBRID) == 0
          ? failure(FREERDP, HYBRID_REQUIRED)
          : new Answer(confirm(FREERDP, NEGOTIATION_RESPONSE, 3, HYBRID), Next.NLA);
    }
    if (offered.isEmpty()) {
      boolean standard = security == RdpSecurity.NEGOTIATE || security == RdpSecurity.STANDARD_ONLY;
      return new Answer(bare(), standard ? Next.STANDARD : Next.ULTIMATUM);
    }
    int bits = offered.getAsInt();
    if ((bits & ~KNOWN) != 0) {
      return new Answer(Unpooled.EMPTY_BUFFER, Next.ULTIMATUM);
    }
    boolean tls = (bits & TLS) != 0;
    return switch (security) {
      case NEGOTIATE -> tls ? selected(TLS, Next.TLS) : selected(0, Next.STANDARD);
      case TLS_ONLY -> tls ? selected(TLS, Next.TLS) : failure(XRDP, SSL_REQUIRED);
      case STANDARD_ONLY -> selected(0, Next.STANDARD);
      case BROKEN_CERTIFICATE -> failure(XRDP, CERTIFICATE_MISSING);
      case NLA_ONLY -> throw new AssertionError("answered above");
    };
  }

  private static Answer selected(int protocol, Next next) {
    return new Answer(confirm(XRDP, NEGOTIATION_RESPONSE, 1, protocol), next);
  }

  private static Answer failure(int source, int code) {
    return new Answer(confirm(source, NEGOTIATION_FAILURE, 0, code), Next.HANG_UP);
  }

  private static ByteBuf bare() {
    return head(11, XRDP);
  }

  private static ByteBuf confirm(int source, int type, int flags, int value) {
    return head(11 + NEGOTIATION_OCTETS, source)
        .writeByte(type)
        .writeByte(flags)
        .writeShortLE(NEGOTIATION_OCTETS)
        .writeIntLE(value);
  }

  private static ByteBuf head(int length, int source) {
    return Unpooled.buffer()
        .writeShort(0x0300)
        .writeShort(length)
        .writeByte(length - 5)
        .writeByte(CONNECTION_CONFIRM)
        .writeShort(0)
        .writeShort(source)
        .writeByte(0);
  }

  private static int indexOf(ByteBuf in, byte[] wanted) {
    for (int i = in.readerIndex(); i <= in.writerIndex() - wanted.length; i++) {
      if (in.getByte(i) == wanted[0] && in.getByte(i + 1) == wanted[1]) {
        return i;
      }
    }
    return -1;
  }
}
