// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

/**
 * Reads one frame with every step checked: what is too short is {@link Malformed}, never an index
 * exception. Borrows the buffer for the length of a call.
 */
final class Octets {
  private final ByteBuf in;
  private final Fault whenShort;

  Octets(ByteBuf in, Fault whenShort) {
    this.in = in;
    this.whenShort = whenShort;
  }

  int left() {
    return in.readableBytes();
  }

  int u8() throws Malformed {
    need(1);
    return in.readUnsignedByte();
  }

  int u16() throws Malformed {
    need(2);
    return in.readUnsignedShort();
  }

  int u16le() throws Malformed {
    need(2);
    return in.readUnsignedShortLE();
  }

  long u32le() throws Malformed {
    need(4);
    return in.readUnsignedIntLE();
  }

  Octets skip(int octets) throws Malformed {
    need(octets);
    in.skipBytes(octets);
    return this;
  }

  /** The next octets as a frame of their own. */
  Octets part(int octets) throws Malformed {
    need(octets);
    return new Octets(in.readSlice(octets), whenShort);
  }

  /** Moves behind the first occurrence of these octets. */
  void seek(byte[] needle) throws Malformed {
    int from = in.readerIndex();
    int at = find(needle);
    if (at < 0) throw new Malformed(whenShort);
    in.readerIndex(from + at + needle.length);
  }

  /** How many octets from here these begin, or -1. */
  int find(byte[] needle) {
    int last = in.writerIndex() - needle.length;
    for (int at = in.readerIndex(); at <= last; at++) {
      if (startsAt(at, needle)) return at - in.readerIndex();
    }
    return -1;
  }

  /** A BER length: one octet, or one or two behind 81 or 82. */
  int berLength() throws Malformed {
    int first = u8();
    return switch (first) {
      case 0x81 -> u8();
      case 0x82 -> u16();
      default -> {
        if (first >= 0x80) throw new Malformed(whenShort);
        yield first;
      }
    };
  }

  /** A PER length. Servers use both forms for any value. */
  int perLength() throws Malformed {
    int first = u8();
    return first < 0x80 ? first : (first & 0x7F) << 8 | u8();
  }

  @Override
  public String toString() {
    return ByteBufUtil.hexDump(in);
  }

  private boolean startsAt(int at, byte[] needle) {
    for (int i = 0; i < needle.length; i++) {
      if (in.getByte(at + i) != needle[i]) return false;
    }
    return true;
  }

  private void need(int octets) throws Malformed {
    if (octets < 0 || in.readableBytes() < octets) throw new Malformed(whenShort);
  }
}
