// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One instruction of the Guacamole protocol. Lengths count Unicode code points: neither octets nor
 * UTF-16 units. guacd's own limits hold here too.
 *
 * @param opcode what to do
 * @param args the values, possibly empty
 */
record GuacInstruction(String opcode, List<String> args) {

  static final int OCTETS_MAX = 8192;
  static final int ELEMENTS_MAX = 128;
  private static final int LENGTH_DIGITS_MAX = 5;

  GuacInstruction {
    args = List.copyOf(args);
  }

  static GuacInstruction of(String opcode, String... args) {
    return new GuacInstruction(opcode, List.of(args));
  }

  ByteBuf encode() {
    StringBuilder out = new StringBuilder();
    append(out, opcode);
    for (String arg : args) {
      append(out.append(','), arg);
    }
    return Unpooled.copiedBuffer(out.append(';'), StandardCharsets.UTF_8);
  }

  private static void append(StringBuilder out, String element) {
    out.append(element.codePointCount(0, element.length())).append('.').append(element);
  }

  /** See {@link Framing#length}. */
  static int length(ByteBuf in) throws Malformed {
    Scan scan = new Scan(in);
    while (scan.element()) {
      if (scan.ended) return scan.at - in.readerIndex();
    }
    int atLeast = in.readableBytes() + 1;
    if (atLeast > OCTETS_MAX) throw new Malformed(Fault.BAD_LENGTH);
    return atLeast;
  }

  /** Reads a whole instruction, as cut by {@link #length}. */
  static GuacInstruction decode(ByteBuf frame) throws Malformed {
    List<String> elements = new ArrayList<>();
    Scan scan = new Scan(frame);
    while (!scan.ended) {
      if (!scan.element()) throw new Malformed(Fault.NOT_GUACAMOLE);
      int octets = scan.valueEnd - scan.valueStart;
      elements.add(frame.toString(scan.valueStart, octets, StandardCharsets.UTF_8));
    }
    return new GuacInstruction(elements.getFirst(), elements.subList(1, elements.size()));
  }

  /** Walks over the elements of an instruction, each of them only when it is all there. */
  private static final class Scan {
    private final ByteBuf in;
    private final int start;
    private int at;
    private int elements;
    private int valueStart;
    private int valueEnd;
    private boolean ended;

    Scan(ByteBuf in) {
      this.in = in;
      this.start = in.readerIndex();
      this.at = start;
    }

    /** Whether there was one more whole element with what follows it. */
    boolean element() throws Malformed {
      int count = count();
      if (count < 0 || !value(count)) return false;
      if (at >= in.writerIndex()) return false;
      int separator = in.getByte(at++);
      if (at - start > OCTETS_MAX) throw new Malformed(Fault.BAD_LENGTH);
      elements++;
      ended = separator == ';';
      if (!ended && separator != ',') throw new Malformed(Fault.NOT_GUACAMOLE);
      if (!ended && elements == ELEMENTS_MAX) throw new Malformed(Fault.BAD_LENGTH);
      return true;
    }

    private int count() throws Malformed {
      int count = 0;
      for (int digits = 0; at < in.writerIndex(); digits++) {
        int octet = in.getByte(at++);
        if (octet == '.' && digits > 0) return count;
        if (octet < '0' || octet > '9') throw new Malformed(Fault.NOT_GUACAMOLE);
        if (digits == LENGTH_DIGITS_MAX) throw new Malformed(Fault.BAD_LENGTH);
        count = count * 10 + octet - '0';
      }
      return -1;
    }

    private boolean value(int codePoints) throws Malformed {
      if (codePoints > OCTETS_MAX) throw new Malformed(Fault.BAD_LENGTH);
      valueStart = at;
      for (int i = 0; i < codePoints; i++) {
        if (at >= in.writerIndex()) return false;
        at += utf8Octets(in.getUnsignedByte(at));
      }
      valueEnd = at;
      return at <= in.writerIndex();
    }

    private static int utf8Octets(int lead) throws Malformed {
      if (lead < 0x80) return 1;
      if (lead >= 0xC2 && lead < 0xE0) return 2;
      if (lead >= 0xE0 && lead < 0xF0) return 3;
      if (lead >= 0xF0 && lead < 0xF5) return 4;
      throw new Malformed(Fault.NOT_GUACAMOLE);
    }
  }
}
