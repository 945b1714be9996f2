// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.serve;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.security.KeyRing;
import java.security.SecureRandom;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SecretsTest {
  private static final String KEY = KeyRing.newSecret(new SecureRandom()).reveal();

  @Test
  void withTokenAndKeyAllIsThere() {
    Secrets.Found found = Secrets.in(Map.of("CUPBEAR_FLY_TOKEN", "t", "CUPBEAR_SECRET_KEY", KEY));
    assertThat(found)
        .isInstanceOfSatisfying(
            Secrets.Found.All.class,
            all -> {
              assertThat(all.secrets().flyToken().reveal()).isEqualTo("t");
              assertThat(all.secrets().redisPassword()).isEmpty();
              assertThat(all.secrets().toString()).doesNotContain("t,", KEY);
            });
  }

  @Test
  void withoutThemItSaysWhichAndWhereTheyComeFrom() {
    assertThat(Secrets.in(Map.of()))
        .isInstanceOfSatisfying(
            Secrets.Found.Missing.class,
            missing ->
                assertThat(missing.what())
                    .hasSize(2)
                    .anySatisfy(
                        each -> assertThat(each).contains("CUPBEAR_FLY_TOKEN", "fly tokens"))
                    .anySatisfy(each ->
                        assertThat(each).contains("CUPBEAR_SECRET_KEY", "config secret-key")));
  }

  @Test
  void anOldKeyBesideTheNewOneIsReadToo() {
    String old = KeyRing.newSecret(new SecureRandom()).reveal();
    Map<String, String> environment =
        Map.of("CUPBEAR_FLY_TOKEN", "t", "CUPBEAR_SECRET_KEY", KEY, "CUPBEAR_SECRET_KEY_OLD", old);
    assertThat(Secrets.in(environment)).isInstanceOf(Secrets.Found.All.class);
  }
}
