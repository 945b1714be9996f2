// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of what real servers answered to which offer. */
class RdpNegotiationTest {

  @ParameterizedTest(name = "{0} offered {1}: {2}, {3}")
  @CsvSource({
    "NEGOTIATE,          -1, bare,  STANDARD",
    "NEGOTIATE,           0, sel 0, STANDARD",
    "NEGOTIATE,           1, sel 1, TLS",
    "NEGOTIATE,           3, sel 1, TLS",
    "NEGOTIATE,          11, sel 1, TLS",
    "NEGOTIATE,          16, none,  ULTIMATUM",
    "TLS_ONLY,           -1, bare,  ULTIMATUM",
    "TLS_ONLY,            0, fail 1, HANG_UP",
    "TLS_ONLY,            3, sel 1, TLS",
    "STANDARD_ONLY,      -1, bare,  STANDARD",
    "STANDARD_ONLY,       0, sel 0, STANDARD",
    "STANDARD_ONLY,       3, sel 0, STANDARD",
    "BROKEN_CERTIFICATE,  0, fail 3, HANG_UP",
    "BROKEN_CERTIFICATE,  3, fail 3, HANG_UP",
    "NLA_ONLY,           -1, fail 5, HANG_UP",
    "NLA_ONLY,            1, fail 5, HANG_UP",
    "NLA_ONLY,            3, sel 2, NLA",
    "NLA_ONLY,           11, sel 2, NLA",
  })
  void answers(RdpSecurity security, int offer, String confirm, RdpNegotiation.Next next) {
    OptionalInt offered = offer < 0 ? OptionalInt.empty() : OptionalInt.of(offer);
    RdpNegotiation.Answer answer = RdpNegotiation.answer(security, offered);
    assertThat(meaning(answer.confirm())).isEqualTo(confirm);
    assertThat(answer.next()).isEqualTo(next);
  }

  @Test
  void readsTheOfferBehindACookie() {
    ByteBuf request = Unpooled.wrappedBuffer(Fixture.recording("xrdp-cookie-x224").get(0).octets());
    request.skipBytes(4);
    assertThat(RdpNegotiation.isRequest(request)).isTrue();
    assertThat(RdpNegotiation.offered(request)).hasValue(3);
  }

  @ParameterizedTest
  @CsvSource({
    "0ed00000000000, length indicator does not fit",
    "06d00000000000, a confirm",
    "06e000000000, too short"
  })
  void whatIsNoRequest(String hex, String why) {
    ByteBuf frame = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex));
    assertThat(RdpNegotiation.isRequest(frame)).as(why).isFalse();
  }

  private static String meaning(ByteBuf confirm) {
    return switch (confirm.readableBytes()) {
      case 0 -> "none";
      case 11 -> "bare";
      default -> (confirm.getByte(11) == 2 ? "sel " : "fail ") + confirm.getIntLE(15);
    };
  }
}
