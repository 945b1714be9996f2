// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.CorruptedFrameException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a byte stream into Guacamole instructions, with guacd's own limits. One per connection, on
 * its event loop. Anything malformed is a {@link CorruptedFrameException}; guacd hangs up on it.
 */
final class GuacDecoder extends ByteToMessageDecoder {

  // guacd's parser refuses more than this; a client that relies on more breaks on the real thing.
  private static final int INSTRUCTION_OCTETS_MAX = 8192;
  private static final int ELEMENTS_MAX = 128;
  private static final int LENGTH_DIGITS_MAX = 5;

  private static final int INCOMPLETE = -1;

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    int start = in.readerIndex();
    List<String> elements = new ArrayList<>();
    int at = start;
    while (true) {
      int dot = lengthEnd(in, at);
      int end = dot == INCOMPLETE ? INCOMPLETE : valueEnd(in, dot + 1, number(in, at, dot));
      if (end == INCOMPLETE || end >= in.writerIndex()) {
        requireWithin(in.readableBytes());
        return;
      }
      requireWithin(end + 1 - start);
      elements.add(in.toString(dot + 1, end - dot - 1, StandardCharsets.UTF_8));
      byte separator = in.getByte(end);
      at = end + 1;
      if (separator == ';') {
        break;
      }
      if (separator != ',' || elements.size() == ELEMENTS_MAX) {
        throw new CorruptedFrameException(
            "element is not followed by ',' or ';', or is one too many");
      }
    }
    in.readerIndex(at);
    out.add(new GuacInstruction(elements.get(0), elements.subList(1, elements.size())));
  }

  private static int lengthEnd(ByteBuf in, int from) {
    for (int i = from; i < in.writerIndex(); i++) {
      byte octet = in.getByte(i);
      if (octet == '.' && i > from) {
        return i;
      }
      if (octet < '0' || octet > '9' || i - from == LENGTH_DIGITS_MAX) {
        throw new CorruptedFrameException("element does not start with a length of 1 to 5 digits");
      }
    }
    return INCOMPLETE;
  }

  private static int number(ByteBuf in, int from, int to) {
    return Integer.parseInt(in.toString(from, to - from, StandardCharsets.US_ASCII));
  }

  /** The index behind {@code codePoints} UTF-8 characters, or {@link #INCOMPLETE}. */
  private static int valueEnd(ByteBuf in, int from, int codePoints) {
    int at = from;
    for (int i = 0; i < codePoints; i++) {
      if (at >= in.writerIndex()) {
        return INCOMPLETE;
      }
      at += utf8Octets(in.getUnsignedByte(at));
    }
    return at;
  }

  private static int utf8Octets(int lead) {
    if (lead < 0x80) {
      return 1;
    }
    if (lead >= 0xC2 && lead < 0xE0) {
      return 2;
    }
    if (lead >= 0xE0 && lead < 0xF0) {
      return 3;
    }
    if (lead >= 0xF0 && lead < 0xF5) {
      return 4;
    }
    throw new CorruptedFrameException("value is not UTF-8");
  }

  private static void requireWithin(int octets) {
    if (octets > INSTRUCTION_OCTETS_MAX) {
      throw new CorruptedFrameException(
          "instruction exceeds " + INSTRUCTION_OCTETS_MAX + " octets");
    }
  }
}
