// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.security.SealedCredentials.Binding;
import cupbear.scheduler.security.SealedCredentials.Opened;
import cupbear.scheduler.security.SealedCredentials.Why;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SealedCredentialsTest {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Secret KEY = KeyRing.newSecret(RANDOM);
  private static final Secret NEW_KEY = KeyRing.newSecret(RANDOM);
  private static final Credentials LOGIN = new Credentials("viewer", Secret.of("pässword"));
  private static final Binding HERE = binding("viewers", "m1", "boot1");

  private static Binding binding(String pool, String machine, String boot) {
    return new Binding(new PoolName(pool), new MachineId(machine), boot);
  }

  private static SealedCredentials with(Secret key) {
    return new SealedCredentials(KeyRing.of(key), RANDOM);
  }

  private static Opened refused(Why why) {
    return new Opened.Refused(why);
  }

  @Test
  void whatIsSealedOpensWithTheSameKeyAndBinding() {
    String box = with(KEY).seal(LOGIN, HERE);
    assertThat(box).startsWith("cbs1.").doesNotContain("viewer").doesNotContain("pässword");
    assertThat(with(KEY).open(box, HERE)).isEqualTo(new Opened.Open(LOGIN));
  }

  @Test
  void noTwoBoxesAreAlike() {
    Set<String> boxes = new HashSet<>();
    for (int i = 0; i < 200; i++) boxes.add(with(KEY).seal(LOGIN, HERE));
    assertThat(boxes).hasSize(200);
  }

  static Stream<Binding> elsewhere() {
    return Stream.of(
        binding("others", "m1", "boot1"),
        binding("viewers", "m2", "boot1"),
        binding("viewers", "m1", "boot2"),
        binding("viewers", "m1b", "oot1"),
        binding("viewers", "m1", ""));
  }

  @ParameterizedTest
  @MethodSource("elsewhere")
  void aMovedBoxStaysShut(Binding elsewhere) {
    String box = with(KEY).seal(LOGIN, HERE);
    assertThat(with(KEY).open(box, elsewhere)).isEqualTo(refused(Why.FORGED));
  }

  @Test
  void aChangedBoxStaysShut() {
    String box = with(KEY).seal(LOGIN, HERE);
    for (int i = 0; i < box.length(); i++) {
      char changed = box.charAt(i) == 'a' ? 'b' : 'a';
      String other = box.substring(0, i) + changed + box.substring(i + 1);
      assertThat(with(KEY).open(other, HERE)).as(other).isInstanceOf(Opened.Refused.class);
    }
  }

  @Test
  void duringARotationBothKeysOpenAndTheNewOneSeals() {
    String old = with(KEY).seal(LOGIN, HERE);
    SealedCredentials both = new SealedCredentials(KeyRing.of(NEW_KEY, KEY), RANDOM);
    assertThat(both.open(old, HERE)).isEqualTo(new Opened.Open(LOGIN));
    String fresh = both.seal(LOGIN, HERE);
    assertThat(with(NEW_KEY).open(fresh, HERE)).isEqualTo(new Opened.Open(LOGIN));
    assertThat(with(KEY).open(fresh, HERE)).isEqualTo(refused(Why.UNKNOWN_KEY));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ".", "cbs1", "cbs1..", "cbs1.x.y", "cbs2.a.b", "cbs1.a.b.c", "cbs1.a.=="})
  void whatIsNoBoxIsMalformed(String text) {
    assertThat(with(KEY).open(text, HERE)).isEqualTo(refused(Why.MALFORMED));
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4})
  void tornBoxesNeverThrow(long seed) {
    Random dice = new Random(seed);
    String box = with(KEY).seal(LOGIN, HERE);
    for (int i = 0; i < 500; i++) {
      StringBuilder torn = new StringBuilder(box);
      for (int k = 1 + dice.nextInt(3); k > 0; k--) {
        int at = dice.nextInt(torn.length());
        if (dice.nextBoolean()) torn.deleteCharAt(at);
        else torn.insert(at, (char) dice.nextInt(0x180));
      }
      if (torn.toString().equals(box)) continue;
      assertThat(with(KEY).open(torn.toString(), HERE)).isInstanceOf(Opened.Refused.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "hunter2", "aHVudGVyMg==", "****"})
  void aBadKeyIsRefusedWithoutRepeatingIt(String text) {
    assertThatThrownBy(() -> KeyRing.of(Secret.of(text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cupbear config secret-key")
        .hasNoCause()
        .satisfies(e -> assertThat(e.toString()).doesNotContain("hunter2"));
  }

  @Test
  void aKeysNameTellsKeysApartAndNothingElse() {
    assertThat(KeyRing.of(KEY).currentId()).matches("[0-9a-f]{8}");
    assertThat(KeyRing.of(KEY).currentId()).isNotEqualTo(KeyRing.of(NEW_KEY).currentId());
  }

  @Test
  void oneTimeLoginsAreNeverTheSameAndFitEverywhere() {
    OneTimeCredentials maker = new OneTimeCredentials(RANDOM);
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 500; i++) {
      Credentials login = maker.next();
      assertThat(login.username()).matches("viewer-[a-z2-9]{8}").hasSizeLessThanOrEqualTo(20);
      assertThat(login.password().reveal())
          .matches("[A-Za-z2-9]{24}")
          .containsPattern("[A-Z]")
          .containsPattern("[a-z]")
          .containsPattern("[2-9]");
      assertThat(seen.add(login.username() + login.password().reveal())).isTrue();
    }
  }
}
