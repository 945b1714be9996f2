// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.json.JsonObject;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing that is printed holds a secret. */
class SecretsTest {
  private static final String SECRET = "cb_gw1_canary";

  @Test
  void aTokenDoesNotShowItself() {
    Token token = new Token(() -> SECRET);
    assertThat(token.header()).isEqualTo("Bearer " + SECRET);
    assertThat(token).hasToString("***");
  }

  @Test
  void aRotatedTokenIsPickedUp() {
    AtomicInteger turn = new AtomicInteger();
    Token token = new Token(() -> "cb_gw1_" + turn.incrementAndGet() + "\n");
    assertThat(token.header()).isEqualTo("Bearer cb_gw1_1");
    assertThat(token.header()).isEqualTo("Bearer cb_gw1_2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "   ", SECRET + "\r\nx: y", SECRET + " and more"})
  void aTokenThatCannotBeSentIsToldWithoutBeingShown(String bad) {
    assertThatThrownBy(() -> Cupbear.builder().url("http://127.0.0.1:1").token(bad).build())
        .hasMessageContaining("cb_<id>_<secret>")
        .hasMessageNotContaining("canary");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://user:canary@host:1",
        "http://host?token=canary",
        "http://host#canary",
        "canary",
        "ftp://canary",
        "http://",
        "http://ca nary"
      })
  void anAddressThatCannotBeUsedIsToldWithoutBeingShown(String bad) {
    assertThatThrownBy(() -> Cupbear.builder().url(bad))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("http://cupbear.internal:8080")
        .hasMessageNotContaining("canary");
  }

  @Test
  void aGrantDoesNotShowItsPassword() {
    JsonObject json = ScriptedScheduler.session(812);
    json.getJsonObject("credentials").put("password", "canary");
    Grant grant = Wire.grant(json);
    assertThat(grant.credentials().orElseThrow().password()).isEqualTo("canary");
    assertThat(grant.toString()).contains("viewer").doesNotContain("canary");
  }

  @Test
  void aBuilderSaysWhatIsMissing() {
    assertThatThrownBy(() -> Cupbear.builder().token("t").build()).hasMessageContaining("url(…)");
    assertThatThrownBy(() -> Cupbear.builder().url("http://h").build())
        .hasMessageContaining("token(…)");
  }
}
