// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.CorruptedFrameException;

/**
 * What a client tells of itself in the MCS Connect-Initial, as far as a server's answers depend on
 * it.
 *
 * @param width of the desktop wanted
 * @param height of the desktop wanted
 * @param channels how many static channels are asked for
 */
record McsConnect(int width, int height, int channels) {

  /** What the protocol allows (MS-RDPBCGR, client network data). */
  static final int CHANNELS_MAX = 31;

  private static final int CONNECT_INITIAL = 0x7F65;
  private static final int GCC_KEY = 0x44756361;
  private static final int CORE = 0xC001;
  private static final int NET = 0xC003;
  private static final int BLOCK_HEADER = 4;
  private static final int CORE_MIN = 132;

  /** Reads the PDU behind its X.224 header; throws when it is none. */
  static McsConnect read(ByteBuf in) {
    require(in.readUnsignedShort() == CONNECT_INITIAL, "no Connect-Initial");
    require(berLength(in) == in.readableBytes(), "Connect-Initial does not fill its frame");
    // Domain selectors, the upward flag and three sets of domain parameters.
    for (int i = 0; i < 6; i++) {
      in.skipBytes(1);
      in.skipBytes(berLength(in));
    }
    in.skipBytes(1);
    require(berLength(in) == in.readableBytes(), "user data does not end the PDU");
    while (in.getInt(in.readerIndex()) != GCC_KEY) {
      in.skipBytes(1);
    }
    in.skipBytes(4);
    perLength(in);
    return blocks(in);
  }

  private static McsConnect blocks(ByteBuf in) {
    int width = 0;
    int height = 0;
    int channels = 0;
    while (in.readableBytes() >= BLOCK_HEADER) {
      int type = in.readUnsignedShortLE();
      ByteBuf body = in.readSlice(in.readUnsignedShortLE() - BLOCK_HEADER);
      if (type == CORE) {
        require(body.readableBytes() >= CORE_MIN - BLOCK_HEADER, "client core data too short");
        width = body.getUnsignedShortLE(body.readerIndex() + 4);
        height = body.getUnsignedShortLE(body.readerIndex() + 6);
      } else if (type == NET) {
        channels = (int) body.readUnsignedIntLE();
        require(channels >= 0 && channels <= CHANNELS_MAX, "too many channels");
      }
    }
    require(width > 0 && height > 0, "no client core data");
    return new McsConnect(width, height, channels);
  }

  private static int berLength(ByteBuf in) {
    int first = in.readUnsignedByte();
    return switch (first) {
      case 0x81 -> in.readUnsignedByte();
      case 0x82 -> in.readUnsignedShort();
      default -> first;
    };
  }

  /** Both forms are in use for any value. */
  static int perLength(ByteBuf in) {
    int first = in.readUnsignedByte();
    return first < 0x80 ? first : (first & 0x7F) << 8 | in.readUnsignedByte();
  }

  private static void require(boolean ok, String otherwise) {
    if (!ok) {
      throw new CorruptedFrameException(otherwise);
    }
  }
}
