// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.CorruptedFrameException;
import java.util.List;

/**
 * Cuts the stream of an NLA login into DER sequences (CredSSP is not framed by TPKT). One per
 * connection, on its event loop.
 */
final class TsRequestDecoder extends ByteToMessageDecoder {

  private static final int SEQUENCE = 0x30;
  private static final int LONG_FORM = 0x80;
  private static final int LENGTH_OCTETS_MAX = 2;

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    int start = in.readerIndex();
    if (in.getUnsignedByte(start) != SEQUENCE) {
      throw new CorruptedFrameException("not a DER sequence");
    }
    if (in.readableBytes() < 2) {
      return;
    }
    int length = in.getUnsignedByte(start + 1);
    int octets = 0;
    if (length >= LONG_FORM) {
      octets = length - LONG_FORM;
      if (octets == 0 || octets > LENGTH_OCTETS_MAX) {
        throw new CorruptedFrameException("DER length of " + octets + " octets");
      }
      if (in.readableBytes() < 2 + octets) {
        return;
      }
      length = octets == 1 ? in.getUnsignedByte(start + 2) : in.getUnsignedShort(start + 2);
    }
    int whole = 2 + octets + length;
    if (in.readableBytes() >= whole) {
      out.add(in.readRetainedSlice(whole));
    }
  }
}
