// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.CorruptedFrameException;
import java.util.List;

/**
 * Cuts a byte stream into TPKT frames and hands on what follows the header. One per connection, on
 * its event loop. What cannot be TPKT is refused at its first octet, not when a length runs out.
 */
final class TpktDecoder extends ByteToMessageDecoder {

  private static final int VERSION = 3;
  private static final int HEADER = 4;
  // The smallest PDU is an X.224 header; the largest is far beyond any handshake.
  private static final int LENGTH_MIN = 7;
  private static final int LENGTH_MAX = 16_384;

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    int start = in.readerIndex();
    if (in.getUnsignedByte(start) != VERSION) {
      throw new CorruptedFrameException("not a TPKT header");
    }
    if (in.readableBytes() < HEADER) {
      return;
    }
    int length = in.getUnsignedShort(start + 2);
    if (length < LENGTH_MIN || length > LENGTH_MAX) {
      throw new CorruptedFrameException("TPKT length " + length);
    }
    if (in.readableBytes() >= length) {
      in.skipBytes(HEADER);
      out.add(in.readRetainedSlice(length - HEADER));
    }
  }
}
