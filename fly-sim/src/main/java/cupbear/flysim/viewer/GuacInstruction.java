// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import java.util.List;

/**
 * One instruction of the Guacamole protocol: an opcode and its arguments.
 *
 * @param opcode what to do
 * @param args the values, possibly empty strings
 */
record GuacInstruction(String opcode, List<String> args) {

  GuacInstruction {
    args = List.copyOf(args);
  }

  static GuacInstruction of(String opcode, Object... args) {
    return new GuacInstruction(opcode, List.of(args).stream().map(String::valueOf).toList());
  }

  /** The text on the wire. Lengths count code points: neither octets nor UTF-16 units. */
  String text() {
    StringBuilder out = new StringBuilder();
    append(out, opcode);
    for (String arg : args) {
      append(out.append(','), arg);
    }
    return out.append(';').toString();
  }

  private static void append(StringBuilder out, String element) {
    out.append(element.codePointCount(0, element.length())).append('.').append(element);
  }
}
