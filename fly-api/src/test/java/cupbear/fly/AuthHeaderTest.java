// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cupbear.fly.model.Secret;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuthHeaderTest {

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "macaroon, fm2_abc, FlyV1 fm2_abc",
    "old macaroon, fm1r_abc, FlyV1 fm1r_abc",
    "as fly tokens create prints it, FlyV1 fm2_abc, FlyV1 fm2_abc",
    "as the docs' curl sends it, Bearer FlyV1 fm2_abc, FlyV1 fm2_abc",
    "twice over, FlyV1 FlyV1 Bearer fm2_abc, FlyV1 fm2_abc",
    "login token, fo1_abc, Bearer fo1_abc",
    "login token with scheme, Bearer fo1_abc, Bearer fo1_abc",
    "scheme in small letters, bearer fo1_abc, Bearer fo1_abc",
    "several macaroons, 'fm2_a,fm2_b', 'FlyV1 fm2_a,fm2_b'",
    "blanks and a final line break, ' fm2_abc\n', FlyV1 fm2_abc"
  })
  void schemeFollowsTheToken(String name, String token, String header) {
    assertThat(AuthHeader.of(Secret.of(token))).isEqualTo(header);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "Bearer ", "FlyV1 Bearer "})
  void nothingIsNoToken(String token) {
    assertThatThrownBy(() -> AuthHeader.of(Secret.of(token)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("empty");
  }

  @Test
  void aBrokenTokenIsRefusedWithoutBeingQuoted() {
    assertThatThrownBy(() -> AuthHeader.of(Secret.of("fm2_abc\r\nX-Evil: 1")))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .doesNotContain("fm2_abc")
        .doesNotContain("Evil");
  }
}
