// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cupbear.probe.TargetGuard.Answer.Allowed;
import cupbear.probe.TargetGuard.Answer.Denied;
import cupbear.probe.TargetGuard.Reason;
import java.net.InetAddress;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetGuardTest {

  private static final TargetGuard OURS =
      TargetGuard.of(List.of("fdaa:0:18::/48"), Set.of(4822, 3389));
  private static final TargetGuard EVERYWHERE = TargetGuard.onAnyPort(List.of("::/0", "0.0.0.0/0"));

  @ParameterizedTest
  @CsvSource({"fdaa:0:18:a7b:1::2, 4822", "fdaa:0:18::4, 3389", "FDAA:0:18:0:0:0:0:5, 3389"})
  void ownAddressesOnTheTwoPortsAreAllowed(String literal, int port) throws Exception {
    assertThat(OURS.check(literal, port))
        .isInstanceOfSatisfying(
            Allowed.class,
            allowed -> {
              assertThat(allowed.address().isUnresolved()).isFalse();
              assertThat(allowed.address().getPort()).isEqualTo(port);
            });
    assertThat(((Allowed) OURS.check(literal, port)).address().getAddress())
        .isEqualTo(InetAddress.getByName(literal));
  }

  @ParameterizedTest(name = "{0} port {1}: {2}")
  @CsvSource({
    "fdaa:0:19::4, 4822, OUTSIDE",
    "fdaa:0:17:ffff:ffff:ffff:ffff:ffff, 4822, OUTSIDE",
    "::1, 4822, OUTSIDE",
    "127.0.0.1, 4822, OUTSIDE",
    "10.0.0.1, 4822, OUTSIDE",
    "2001:db8::1, 4822, OUTSIDE",
    "fdaa:0:18::4, 22, PORT",
    "fdaa:0:18::4, 0, PORT",
    "fdaa:0:18::4, -1, PORT",
    "fdaa:0:18::4, 70358, PORT",
    "fdaa:0:18::3, 4822, DNS_SERVER",
    "fdaa::3, 4822, DNS_SERVER",
    "::, 4822, UNSPECIFIED",
    "0:0:0:0:0:0:0:0, 4822, UNSPECIFIED",
    "0.0.0.0, 4822, UNSPECIFIED",
    "fe80::1, 4822, LINK_LOCAL",
    "169.254.169.254, 4822, LINK_LOCAL",
    "ff02::1, 4822, MULTICAST",
    "224.0.0.1, 4822, MULTICAST",
    "255.255.255.255, 4822, MULTICAST",
    "::ffff:127.0.0.1, 4822, IPV4_MAPPED",
    "::ffff:7f00:1, 4822, IPV4_MAPPED",
    "0:0:0:0:0:ffff:a00:1, 4822, IPV4_MAPPED",
    "::127.0.0.1, 4822, IPV4_MAPPED",
    "fe80::1%eth0, 4822, ZONE_ID",
    "fdaa:0:18::4%1, 4822, ZONE_ID",
    "fdaa:0:18::4%25lo, 4822, ZONE_ID",
    "localhost, 4822, NOT_LITERAL",
    "viewer.internal, 4822, NOT_LITERAL",
    "'', 4822, NOT_LITERAL",
    "127.1, 4822, NOT_LITERAL",
    "0177.0.0.1, 4822, NOT_LITERAL",
    "127.0.0.01, 4822, NOT_LITERAL",
    "2130706433, 4822, NOT_LITERAL",
    "0x7f.0.0.1, 4822, NOT_LITERAL",
    "[fdaa:0:18::4], 4822, NOT_LITERAL",
    "' fdaa:0:18::4', 4822, NOT_LITERAL",
    "fdaa:0:18::4::1, 4822, NOT_LITERAL",
    "1.2.3.4.5, 4822, NOT_LITERAL",
    "256.1.1.1, 4822, NOT_LITERAL",
  })
  void everythingElseIsRefusedWithItsReason(String literal, int port, Reason reason) {
    assertThat(OURS.check(literal, port))
        .isInstanceOfSatisfying(
            Denied.class, denied -> assertThat(denied.reason()).isEqualTo(reason));
  }

  @ParameterizedTest
  @ValueSource(strings = {"::", "0.0.0.0", "fe80::1", "::ffff:1.2.3.4", "fdaa::3", "ff02::1"})
  void noPrefixIsWideEnoughForAddressesThatAreNobodys(String literal) {
    assertThat(EVERYWHERE.check(literal, 4822)).isInstanceOf(Denied.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.200.3.3", "::1"})
  void developmentReachesThisHostOnAnyPort(String literal) {
    assertThat(TargetGuard.loopback().check(literal, 40123)).isInstanceOf(Allowed.class);
  }

  @Test
  void aRefusalRepeatsNoControlCharactersAndNoNovels() {
    Denied denied = (Denied) OURS.check("a\r\nInjected: yes\u001b[31m" + "x".repeat(500), 1);
    assertThat(denied.sentence()).hasSizeLessThan(200).doesNotContain("\r", "\n", "\u001b");
  }

  @Test
  void whateverIsAllowedReallyLiesInsideThePrefix() {
    Random random = new Random(8);
    String alphabet = "0123456789abcdef::::...%ffdaa018";
    int allowed = 0;
    for (int i = 0; i < 200_000; i++) {
      StringBuilder text = new StringBuilder(random.nextBoolean() ? "fdaa:0:18:" : "");
      int length = random.nextInt(20);
      for (int c = 0; c < length; c++) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      if (OURS.check(text.toString(), 4822) instanceof Allowed answer) {
        allowed++;
        byte[] octets = answer.address().getAddress().getAddress();
        assertThat(octets).hasSize(16).startsWith(0xfd, 0xaa, 0, 0, 0, 0x18);
      }
    }
    assertThat(allowed).as("the dice must hit the prefix at times").isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"fdaa::", "fdaa::/129", "fdaa::1/16", "x/8", "1.2.3.0/33", "::/-1", "/8"})
  void aWrongPrefixIsRefusedAtStart(String prefix) {
    assertThatThrownBy(() -> TargetGuard.onAnyPort(List.of(prefix)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
