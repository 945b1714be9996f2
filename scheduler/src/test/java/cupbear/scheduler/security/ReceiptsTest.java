// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.security;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.security.Receipts.Grant;
import cupbear.scheduler.security.Receipts.Verified;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReceiptsTest {
  private static final Instant NOW = Instant.parse("2026-11-18T12:00:00Z");
  private static final Secret KEY = KeyRing.newSecret(new SecureRandom());
  private static final Secret NEW_KEY = KeyRing.newSecret(new SecureRandom());
  private static final Grant GRANT =
      new Grant(
          new SessionId("ses_01J"),
          new MachineId("3d8d413b29d089"),
          new Epoch(812),
          "edge",
          new Region("iad"),
          new PoolName("viewers"),
          "fdaa:9:d844:a7b:d5:1:42:2",
          NOW.minusSeconds(900),
          NOW,
          NOW.plusSeconds(60));

  private static final Receipts RECEIPTS = new Receipts(KeyRing.of(KEY));

  @Test
  void ourOwnReceiptIsWorthItsGrant() {
    String receipt = RECEIPTS.sign(GRANT);
    assertThat(receipt).startsWith("cbr1.").hasSizeLessThan(400);
    assertThat(RECEIPTS.verify(receipt, NOW)).isEqualTo(new Verified.Valid(GRANT));
  }

  @Test
  void itExpires() {
    String receipt = RECEIPTS.sign(GRANT);
    assertThat(RECEIPTS.verify(receipt, NOW.plusMillis(59_999))).isInstanceOf(Verified.Valid.class);
    assertThat(RECEIPTS.verify(receipt, NOW.plusSeconds(60)))
        .isEqualTo(new Verified.Expired(GRANT));
  }

  @Test
  void noLetterCanBeChanged() {
    String receipt = RECEIPTS.sign(GRANT);
    for (int i = 0; i < receipt.length(); i++) {
      char changed = receipt.charAt(i) == 'a' ? 'b' : 'a';
      String other = receipt.substring(0, i) + changed + receipt.substring(i + 1);
      assertThat(RECEIPTS.verify(other, NOW))
          .as(other)
          .isIn(new Verified.Forged(), new Verified.Malformed());
    }
  }

  @Test
  void anothersSignatureIsForged() {
    Receipts other = new Receipts(KeyRing.of(NEW_KEY));
    assertThat(RECEIPTS.verify(other.sign(GRANT), NOW)).isEqualTo(new Verified.Forged());
    String[] ours = RECEIPTS.sign(GRANT).split("\\.");
    String[] theirs = other.sign(GRANT).split("\\.");
    String mixed = String.join(".", ours[0], ours[1], ours[2], theirs[3]);
    assertThat(RECEIPTS.verify(mixed, NOW)).isEqualTo(new Verified.Forged());
  }

  @Test
  void aReceiptOfTheOldKeyIsGoodDuringARotation() {
    Receipts both = new Receipts(KeyRing.of(NEW_KEY, KEY));
    assertThat(both.verify(RECEIPTS.sign(GRANT), NOW)).isEqualTo(new Verified.Valid(GRANT));
    assertThat(RECEIPTS.verify(both.sign(GRANT), NOW)).isEqualTo(new Verified.Forged());
  }

  @Test
  void anybodyMayReadItForThereIsNoSecretInIt() {
    String body = RECEIPTS.sign(GRANT).split("\\.")[2];
    assertThat(new String(Base64.getUrlDecoder().decode(body), StandardCharsets.UTF_8))
        .isEqualTo(
            "ses_01J|3d8d413b29d089|812|edge|iad|viewers|fdaa:9:d844:a7b:d5:1:42:2"
                + "|1795002300000|1795003200000|1795003260000");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "...", "cbr1", "cbr1.a.b", "cbr2.a.b.c", "cbr1.a.b.=", "cbr1.a.b.c.d"})
  void whatIsNoReceiptIsMalformed(String text) {
    assertThat(RECEIPTS.verify(text, NOW)).isEqualTo(new Verified.Malformed());
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4})
  void tornReceiptsNeverThrowAndNeverPass(long seed) {
    Random dice = new Random(seed);
    String receipt = RECEIPTS.sign(GRANT);
    for (int i = 0; i < 500; i++) {
      StringBuilder torn = new StringBuilder(receipt);
      for (int k = 1 + dice.nextInt(3); k > 0; k--) {
        int at = dice.nextInt(torn.length());
        if (dice.nextBoolean()) torn.deleteCharAt(at);
        else torn.insert(at, (char) dice.nextInt(0x180));
      }
      if (torn.toString().equals(receipt)) continue;
      assertThat(RECEIPTS.verify(torn.toString(), NOW))
          .isIn(new Verified.Forged(), new Verified.Malformed());
    }
  }
}
