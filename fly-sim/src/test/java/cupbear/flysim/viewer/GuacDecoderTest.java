// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.CorruptedFrameException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuacDecoderTest {

  private final EmbeddedChannel channel = new EmbeddedChannel(new GuacDecoder());

  @Test
  void lengthsCountCodePoints() {
    GuacInstruction name = GuacInstruction.of("name", "zoë 😀", "");
    assertThat(name.text()).isEqualTo("4.name,5.zoë 😀,0.;");
    channel.writeInbound(octets(name.text()));
    assertThat((GuacInstruction) channel.readInbound()).isEqualTo(name);
  }

  @Test
  void anInstructionMayComeInAnyNumberOfPieces() {
    for (byte octet : "4.name,1.ë;".getBytes(StandardCharsets.UTF_8)) {
      assertThat(channel.inboundMessages()).isEmpty();
      channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {octet}));
    }
    assertThat((GuacInstruction) channel.readInbound()).isEqualTo(GuacInstruction.of("name", "ë"));
  }

  @Test
  void severalMayComeAtOnce() {
    channel.writeInbound(octets("4.sync,1.1;3.nop;"));
    assertThat((GuacInstruction) channel.readInbound()).isEqualTo(GuacInstruction.of("sync", 1));
    assertThat((GuacInstruction) channel.readInbound()).isEqualTo(GuacInstruction.of("nop"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", ".a;", "1.ab;", "123456.a", "3.nop.", "1.\u0000\u0000"})
  void malformedIsRefused(String text) {
    assertThatThrownBy(() -> channel.writeInbound(octets(text)))
        .isInstanceOf(CorruptedFrameException.class);
  }

  @Test
  void limitsAreThoseOfGuacd() {
    assertThatThrownBy(() -> channel.writeInbound(octets("1.a" + ",1.a".repeat(128) + ";")))
        .isInstanceOf(CorruptedFrameException.class);
    EmbeddedChannel other = new EmbeddedChannel(new GuacDecoder());
    assertThatThrownBy(() -> other.writeInbound(octets("9000." + "a".repeat(9000))))
        .isInstanceOf(CorruptedFrameException.class);
  }

  private static ByteBuf octets(String text) {
    return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
  }
}
