// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cupbear.scheduler.security.BindGuard.Verdict;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BindGuardTest {
  /** Names that resolve to what is written here; literals resolve to themselves, without DNS. */
  private static InetAddress[] resolve(String host) throws UnknownHostException {
    String addresses =
        switch (host) {
          case "fly-local-6pn" -> "fdaa:9:d844:a7b:e:33bd:e8b1:2";
          case "both" -> "fdaa::1 10.0.0.1";
          case "rebound" -> "fdaa::1 ::";
          case "localhost" -> "127.0.0.1 ::1";
          case "empty" -> "";
          default -> host;
        };
    if (addresses.isEmpty()) return new InetAddress[0];
    if (!addresses.matches("[0-9a-fA-F:. ]+")) throw new UnknownHostException(host);
    return Stream.of(addresses.split(" ")).map(BindGuardTest::literal).toArray(InetAddress[]::new);
  }

  private static InetAddress literal(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  private static final BindGuard PROD = new BindGuard(BindGuardTest::resolve, false);
  private static final BindGuard DEMO = new BindGuard(BindGuardTest::resolve, true);

  @ParameterizedTest(name = "{0}: in prod {1}, in demo {2}")
  @CsvSource({
    "fly-local-6pn:8080, fine, fine",
    "[fdaa::1]:8080, fine, fine",
    "[fdaa:ffff:ffff::1]:8080, fine, fine",
    "127.0.0.1:8080, refused, fine",
    "127.9.9.9:8080, refused, fine",
    "[::1]:8080, refused, fine",
    "localhost:8080, refused, fine",
    "0.0.0.0:8080, refused, refused",
    "[::]:8080, refused, refused",
    "[::ffff:0.0.0.0]:8080, refused, refused",
    "10.0.0.1:8080, refused, refused",
    "192.168.1.4:8080, refused, refused",
    "203.0.113.9:8080, refused, refused",
    "[fdab::1]:8080, refused, refused",
    "[fd00::1]:8080, refused, refused",
    "[fe80::1]:8080, refused, refused",
    "[2001:db8::1]:8080, refused, refused",
    "[aafd::1]:8080, refused, refused",
    "both:8080, refused, refused",
    "rebound:8080, refused, refused",
    "empty:8080, refused, refused",
    "no-such-host:8080, refused, refused",
  })
  void listensInsideOnly(String listen, String inProd, String inDemo) {
    ListenAddress address = ListenAddress.of(listen);
    assertThat(word(PROD.check(address))).isEqualTo(inProd);
    assertThat(word(DEMO.check(address))).isEqualTo(inDemo);
  }

  private static String word(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Fine fine -> "fine";
      case Verdict.Refused refused -> {
        assertThat(refused.why()).as("says what to write").contains("write ");
        yield "refused";
      }
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0.0.0.0:8080 | 0.0.0.0 listens on every network this machine has; write fly-local-6pn",
        "127.0.0.1:80 | loopback is for environment: demo only; write fly-local-6pn:80 on Fly",
        "10.0.0.1:80 | 10.0.0.1 is not inside Fly's private network (fdaa::/16); write fly-local",
        "no-such-host:80 | cannot be resolved; fly-local-6pn exists inside Fly Machines only: "
            + "elsewhere write 127.0.0.1:80 with environment: demo",
      })
  void theSentenceHelps(String listen, String sentence) {
    assertThat(PROD.check(ListenAddress.of(listen)))
        .isInstanceOfSatisfying(
            Verdict.Refused.class, refused -> assertThat(refused.why()).contains(sentence));
  }

  @Test
  void whatWasBoundIsLookedAtAgain() {
    assertThat(PROD.recheck(literal("::"), 8080)).isInstanceOf(Verdict.Refused.class);
    assertThat(PROD.recheck(literal("fdaa::1"), 8080)).isInstanceOf(Verdict.Fine.class);
    assertThat(DEMO.recheck(literal("127.0.0.1"), 8080)).isInstanceOf(Verdict.Fine.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        ":80",
        "*:80",
        "host",
        "host:",
        "host:x",
        "host:70000",
        "host:-1",
        "fdaa::1:80",
        "[fdaa::1]",
        "[fdaa::1%eth0]:80",
        "[]:80",
        "[host]:80",
        "a b:80",
        "http://a:80",
        "a:80/x",
      })
  void whatIsNoAddressIsNone(String text) {
    assertThatThrownBy(() -> ListenAddress.of(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fly-local-6pn:8080", "127.0.0.1:0", "[fdaa::1]:65535"})
  void anAddressIsShownAsItWasWritten(String text) {
    assertThat(ListenAddress.of(text)).hasToString(text);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void noRandomAddressGetsThroughUnlessItIsPrivate(long seed) throws UnknownHostException {
    Random dice = new Random(seed);
    for (int i = 0; i < 500; i++) {
      byte[] bytes = new byte[dice.nextBoolean() ? 16 : 4];
      dice.nextBytes(bytes);
      if (dice.nextBoolean()) bytes[0] = (byte) 0xfd;
      if (dice.nextBoolean()) bytes[1] = (byte) 0xaa;
      boolean inside = bytes.length == 16 && bytes[0] == (byte) 0xfd && bytes[1] == (byte) 0xaa;
      Verdict verdict = PROD.recheck(InetAddress.getByAddress(bytes), 1);
      assertThat(verdict instanceof Verdict.Fine).isEqualTo(inside);
    }
  }
}
