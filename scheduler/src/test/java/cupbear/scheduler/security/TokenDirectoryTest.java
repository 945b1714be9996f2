// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.security.TokenDirectory.Identity;
import cupbear.scheduler.security.TokenDirectory.Refresh;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenDirectoryTest {
  private static final Instant NOW = Instant.parse("2026-11-18T12:00:00Z");
  private static final PoolName VIEWERS = new PoolName("viewers");

  @TempDir Path folder = Path.of("");
  private final SecureRandom random = new SecureRandom();
  private TokenFile file = new TokenFile(folder);
  private TokenDirectory directory = new TokenDirectory(file);

  @BeforeEach
  void aFile() {
    file = new TokenFile(folder.resolve("tokens.json"));
    directory = new TokenDirectory(file);
  }

  private TokenFile.Made make(String name, Role role, Optional<Instant> expires)
      throws IOException {
    return file.create(
        new TokenFile.Wish(name, role, Set.of(VIEWERS), NOW.minusSeconds(60), expires), random);
  }

  @Test
  void aTokenSaysWhoItsBearerIs() throws IOException {
    TokenFile.Made made = make("edge", Role.GATEWAY, Optional.empty());
    assertThat(directory.refresh()).isEqualTo(new Refresh.Reloaded(1));
    assertThat(directory.lookup(made.text().reveal(), NOW))
        .isEqualTo(
            new Identity.Known(
                new Caller("edge", made.token().id(), Role.GATEWAY, Set.of(VIEWERS))));
  }

  @Test
  void anOldTokenIsExpiredFromItsLastMomentOn() throws IOException {
    TokenFile.Made made = make("edge", Role.GATEWAY, Optional.of(NOW));
    directory.refresh();
    String text = made.text().reveal();
    assertThat(directory.lookup(text, NOW.minusMillis(1))).isInstanceOf(Identity.Known.class);
    assertThat(directory.lookup(text, NOW)).isInstanceOf(Identity.Expired.class);
  }

  static Stream<String> strangers() {
    return Stream.of(
        "", "cb", "cb__", "Bearer x", "cb_abcdefghij_", "x".repeat(129), "\u0000", "é");
  }

  @ParameterizedTest
  @MethodSource("strangers")
  void aStrangerIsUnknown(String text) throws IOException {
    make("edge", Role.GATEWAY, Optional.empty());
    directory.refresh();
    assertThat(directory.lookup(text, NOW)).isEqualTo(new Identity.Unknown());
  }

  @Test
  void noOtherTextOpensTheDoor() throws IOException {
    TokenFile.Made made = make("edge", Role.ADMIN, Optional.of(NOW));
    TokenFile.Made other = make("other", Role.GATEWAY, Optional.empty());
    directory.refresh();
    String text = made.text().reveal();
    for (int i = 0; i < text.length(); i++) {
      char changed = text.charAt(i) == 'a' ? 'b' : 'a';
      String near = text.substring(0, i) + changed + text.substring(i + 1);
      assertThat(directory.lookup(near, NOW)).as(near).isEqualTo(new Identity.Unknown());
    }
    String crossed = "cb_" + made.token().id() + other.text().reveal().substring(13);
    assertThat(directory.lookup(crossed, NOW))
        .as("the secret of another, and expiry is no business of who has no secret")
        .isEqualTo(new Identity.Unknown());
  }

  @Test
  void aChangedFileHoldsAtOnceAndWithoutARestart() throws IOException {
    TokenFile.Made first = make("edge", Role.GATEWAY, Optional.empty());
    directory.refresh();
    assertThat(directory.refresh()).isEqualTo(new Refresh.Unchanged());
    TokenFile.Made second = make("edge", Role.GATEWAY, Optional.empty());
    assertThat(directory.refresh()).isEqualTo(new Refresh.Reloaded(2));
    assertThat(file.revoke(first.token().id())).contains(first.token());
    assertThat(directory.refresh()).isEqualTo(new Refresh.Reloaded(1));
    assertThat(directory.lookup(first.text().reveal(), NOW)).isEqualTo(new Identity.Unknown());
    assertThat(directory.lookup(second.text().reveal(), NOW)).isInstanceOf(Identity.Known.class);
  }

  @Test
  void aBrokenOrVanishedFileChangesNothing() throws IOException {
    TokenFile.Made made = make("edge", Role.GATEWAY, Optional.empty());
    directory.refresh();
    Files.writeString(file.path(), "{");
    assertThat(directory.refresh()).isInstanceOf(Refresh.Kept.class);
    Files.delete(file.path());
    assertThat(directory.refresh()).isInstanceOf(Refresh.Kept.class);
    assertThat(directory.lookup(made.text().reveal(), NOW)).isInstanceOf(Identity.Known.class);
  }

  @Test
  void withoutAFileNobodyIsKnown() {
    assertThat(directory.refresh())
        .isInstanceOfSatisfying(
            Refresh.Kept.class,
            kept -> assertThat(kept.problems().getFirst()).contains("cupbear token create"));
    assertThat(directory.lookup("cb_abcdefghij_" + "a".repeat(43), NOW))
        .isEqualTo(new Identity.Unknown());
  }

  @Test
  void theFileHoldsNoSecretAndIsItsOwnersAlone() throws IOException {
    TokenFile.Made made = make("edge", Role.GATEWAY, Optional.empty());
    String secret = made.text().reveal().substring(14);
    assertThat(Files.readString(file.path())).contains(made.token().id()).doesNotContain(secret);
    assertThat(Files.getPosixFilePermissions(file.path()))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).as("nothing is left beside it").containsExactly(file.path());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-rw----", "rw----rw-"})
  void aFileThatOthersMayWriteIsNotBelieved(String permissions) throws IOException {
    make("edge", Role.GATEWAY, Optional.empty());
    Files.setPosixFilePermissions(file.path(), PosixFilePermissions.fromString(permissions));
    assertThat(directory.refresh())
        .isEqualTo(new Refresh.Kept(List.of("others may write it; chmod 600 it")));
  }

  @Test
  void oneNameHasOneRole() throws IOException {
    make("edge", Role.GATEWAY, Optional.empty());
    assertThatThrownBy(() -> make("edge", Role.ADMIN, Optional.empty()))
        .hasMessageContaining("edge has a token with role gateway");
  }

  @Test
  void aBrokenFileIsNotOverwritten() throws IOException {
    Files.writeString(file.path(), "{}");
    assertThatThrownBy(() -> make("edge", Role.GATEWAY, Optional.empty()))
        .hasMessageContaining("version is not 1");
    assertThat(Files.readString(file.path())).isEqualTo("{}");
  }

  @ParameterizedTest(name = "{0} → {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`\"version\" : 1` | `\"version\" : 2` | version is not 1",
        "`\"version\" : 1` | `\"version\" : 1, \"version\" : 1` | not JSON",
        "`\"version\" : 1` | `\"version\" : 1, \"x\" : 1` | a field is not known",
        "`\"role\" : \"gateway\"` | `\"role\" : \"god\"` | tokens[0]: unknown role",
        "`\"role\" : \"gateway\"` | `\"rôle\" : \"gateway\"` | tokens[0].role is not a text",
        "`\"name\" : \"edge\"` | `\"name\" : \"E dge\"` | tokens[0]: caller name; give up to 63",
        "`\"name\" : \"edge\"` | `\"name\" : 7` | tokens[0].name is not a text",
        "`[ \"viewers\" ]` | `[ ]` | tokens[0].pools is not a list of names; leave it out",
        "`[ \"viewers\" ]` | `[ \"A B\" ]` | tokens[0].pools: a name that no pool can have",
        "`2026-11-18T11:59:00Z` | `yesterday` | tokens[0].created is not a moment",
        "`\"sha256\" : \"` | `\"sha256\" : \"x` | tokens[0]: sha256 is not 64 hexadecimal",
        "`\"tokens\" : [` | `\"tokens\" : [ 3, ` | tokens[0].id is not a text",
      })
  void eachMistakeInTheFileIsNamed(String good, String bad, String problem) throws IOException {
    make("edge", Role.GATEWAY, Optional.empty());
    String before = Files.readString(file.path());
    assertThat(before).contains(good);
    Files.writeString(file.path(), before.replaceFirst(java.util.regex.Pattern.quote(good), bad));
    assertThat(file.read())
        .isInstanceOfSatisfying(
            TokenFile.Content.Broken.class,
            broken -> assertThat(String.join("\n", broken.problems())).contains(problem));
  }

  static LongStream seeds() {
    return LongStream.range(0, 40);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aTornFileIsTokensOrProblemsAndNeverAnException(long seed) throws IOException {
    make("edge", Role.GATEWAY, Optional.of(NOW));
    byte[] whole = Files.readAllBytes(file.path());
    Random dice = new Random(seed);
    for (int i = 0; i < 50; i++) {
      byte[] torn = java.util.Arrays.copyOf(whole, 1 + dice.nextInt(whole.length));
      for (int k = dice.nextInt(4); k > 0; k--) {
        torn[dice.nextInt(torn.length)] = (byte) dice.nextInt(256);
      }
      List<String> problems = new ArrayList<>();
      List<Token> tokens = TokenJson.read(torn, problems);
      assertThat(problems.isEmpty() && tokens.isEmpty()).isFalse();
    }
  }

  @Test
  void whatIsWrittenReadsBack() throws IOException {
    Token made = make("edge", Role.GATEWAY, Optional.of(NOW)).token();
    List<String> problems = new ArrayList<>();
    byte[] again = TokenJson.write(List.of(made)).getBytes(StandardCharsets.UTF_8);
    assertThat(TokenJson.read(again, problems)).containsExactly(made);
    assertThat(problems).isEmpty();
  }
}
