// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import cupbear.scheduler.security.TokenDirectory;
import cupbear.scheduler.security.TokenDirectory.Identity;
import cupbear.scheduler.security.TokenFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenCommandTest {
  /** Commands take the time from the clock; only days are told apart here. */
  private final Instant now = Instant.now();

  @TempDir Path folder = Path.of("");
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private Path file() {
    return folder.resolve("tokens.json");
  }

  private int run(String words) {
    out.getBuffer().setLength(0);
    return CupbearCommand.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute((words + " --file " + file()).split(" "));
  }

  private Identity lookup(String token, Instant at) {
    TokenDirectory directory = new TokenDirectory(new TokenFile(file()));
    directory.refresh();
    return directory.lookup(token, at);
  }

  @Test
  void aTokenIsPrintedOnceWorksAndIsGoneWhenRevoked() {
    assertThat(run("token create --role gateway --name edge --pools viewers,others"))
        .isEqualTo(ExitCode.OK);
    String token = out.toString().strip();
    assertThat(token).matches("cb_[a-z0-9]{10}_[A-Za-z0-9_-]{43}");
    assertThat(err.toString()).contains("only time it is shown").doesNotContain(token);
    assertThat(lookup(token, now))
        .isInstanceOfSatisfying(
            Identity.Known.class, known -> assertThat(known.caller().pools()).hasSize(2));
    String id = token.substring(3, 13);
    assertThat(run("token list")).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .containsPattern(id + " +gateway +edge .* never +others,viewers")
        .doesNotContain(token.substring(14));
    assertThat(run("token revoke " + id)).isEqualTo(ExitCode.OK);
    assertThat(lookup(token, now)).isEqualTo(new Identity.Unknown());
  }

  @Test
  void programsGetTheTokenAndItsFacts() throws IOException {
    assertThat(run("token create --role viewer --name board --expires 90d -o json"))
        .isEqualTo(ExitCode.OK);
    JsonNode made = new ObjectMapper().readTree(out.toString());
    Instant created = Instant.parse(made.get("created").asText());
    assertThat(Instant.parse(made.get("expires").asText()))
        .isEqualTo(created.plus(Duration.ofDays(90)));
    String token = made.get("token").asText();
    assertThat(lookup(token, now)).isInstanceOf(Identity.Known.class);
    assertThat(lookup(token, now.plus(Duration.ofDays(91)))).isInstanceOf(Identity.Expired.class);
    assertThat(run("token list -o json")).isEqualTo(ExitCode.OK);
    JsonNode listed = new ObjectMapper().readTree(out.toString()).get("tokens").get(0);
    assertThat(listed.get("id")).isEqualTo(made.get("id"));
    assertThat(listed.has("token") || listed.has("sha256")).isFalse();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "token list --nope | Unknown option: '--nope'",
        "token create --name a | Missing required option: '--role",
        "token create --role god --name a | --role: give gateway, viewer, operator or admin",
        "token create --role viewer --name A | --name: give up to 63 small letters",
        "token create --role viewer --name a --expires soon | --expires: give a duration such as",
        "token create --role viewer --name a --expires 0s | --expires: give a duration such as",
        "token create --role viewer --name a --pools A | --pools: pool name is 'A'",
      })
  void wrongUsageSaysWhatToWrite(String words, String why) {
    assertThat(run(words)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains(why);
    assertThat(file()).doesNotExist();
  }

  @Test
  void whatIsNotThereCannotBeRevoked() {
    assertThat(run("token revoke abcdefghij")).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("has no such token; see cupbear token list");
  }

  @Test
  void aBrokenFileIsLeftAsItIs() throws IOException {
    Files.writeString(file(), "tokens?");
    assertThat(run("token create --role viewer --name a")).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("tokens.json: line 1: not JSON");
    assertThat(file()).hasContent("tokens?");
  }
}
