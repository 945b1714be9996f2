// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuacInstructionTest {

  @ParameterizedTest(name = "{0} is {1} on the wire")
  @CsvSource(
      delimiter = '|',
      value = {
        "a | 1.a;",
        "naïve | 5.naïve;",
        "日本 | 2.日本;",
        "\uD83D\uDC12 | 1.\uD83D\uDC12;",
        "'' | 0.;",
      })
  void lengthsCountCodePoints(String value, String wire) throws Malformed {
    ByteBuf octets = new GuacInstruction(value, List.of()).encode();
    assertThat(octets.toString(StandardCharsets.UTF_8)).isEqualTo(wire);
    assertThat(GuacInstruction.length(octets)).isEqualTo(octets.readableBytes());
    assertThat(GuacInstruction.decode(octets).opcode()).isEqualTo(value);
  }

  @Test
  void separatorsInsideValuesAreJustText() throws Malformed {
    GuacInstruction tricky = GuacInstruction.of("a;b", "1.x,", "", ";");
    ByteBuf octets = tricky.encode();
    assertThat(GuacInstruction.decode(octets)).isEqualTo(tricky);
  }

  @Test
  void everyPrefixIsIncompleteAndNeverWrong() throws Malformed {
    ByteBuf whole = GuacInstruction.of("sélect", "\uD83D\uDC12", "x").encode();
    for (int octets = 0; octets < whole.readableBytes(); octets++) {
      ByteBuf part = whole.slice(0, octets);
      assertThat(GuacInstruction.length(part)).as("of %d octets", octets).isGreaterThan(octets);
    }
  }

  @Test
  void endsWhereTheFirstInstructionEnds() throws Malformed {
    ByteBuf two = utf8("4.sync,1.1;4.sync,1.2;");
    assertThat(GuacInstruction.length(two)).isEqualTo("4.sync,1.1;".length());
  }

  @ParameterizedTest(name = "{1}: {0}")
  @CsvSource({
    "x, NOT_GUACAMOLE",
    ".x, NOT_GUACAMOLE",
    "-1.x;, NOT_GUACAMOLE",
    "1.ab;, NOT_GUACAMOLE",
    "123456, BAD_LENGTH",
    "99999., BAD_LENGTH",
    "8193., BAD_LENGTH",
  })
  void whatCannotBecomeAnInstructionIsRefusedAtOnce(String wire, Fault fault) {
    assertThatThrownBy(() -> GuacInstruction.length(utf8(wire)))
        .isInstanceOf(Malformed.class)
        .hasMessage(fault.words());
  }

  @Test
  void limitsAreThoseOfGuacd() throws Malformed {
    String most = "1.x" + ",0.".repeat(GuacInstruction.ELEMENTS_MAX - 1);
    assertThat(GuacInstruction.decode(utf8(most + ";")).args()).hasSize(127);
    assertThatThrownBy(() -> GuacInstruction.length(utf8(most + ",0.;")))
        .hasMessage(Fault.BAD_LENGTH.words());
    ByteBuf endless = utf8("8192." + "x".repeat(GuacInstruction.OCTETS_MAX));
    assertThatThrownBy(() -> GuacInstruction.length(endless)).hasMessage(Fault.BAD_LENGTH.words());
  }

  @Test
  void invalidUtf8IsRefused() {
    ByteBuf octets = Unpooled.wrappedBuffer(new byte[] {'1', '.', (byte) 0xFF, ';'});
    assertThatThrownBy(() -> GuacInstruction.length(octets)).isInstanceOf(Malformed.class);
  }

  private static ByteBuf utf8(String text) {
    return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
  }
}
