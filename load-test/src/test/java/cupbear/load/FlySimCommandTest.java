// SPDX-License-Identifier: Apache-2.0
package cupbear.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cupbear.scheduler.cli.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class FlySimCommandTest {
  private static final Pattern URL = Pattern.compile("listens on (http://\\S+)");
  // A bound for a hanging test, not an expectation.
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private CommandLine line() {
    return Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
  }

  @Test
  void isOneOfTheCommands() {
    assertThat(line().execute("--help")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("fly-sim", "plan");
  }

  @Test
  void printsWhatIsNeededToCallItAndEndsCleanly(@TempDir Path folder) throws Exception {
    Path faults = folder.resolve("faults.json");
    Files.writeString(faults, "{\"faults\":[{\"kind\":\"empty_list\"}]}");
    CommandLine line = line();
    FlySimCommand command =
        (FlySimCommand)
            Objects.requireNonNull(line.getSubcommands().get("fly-sim"))
                .getCommandSpec()
                .userObject();
    CompletableFuture<Integer> exit =
        CompletableFuture.supplyAsync(() ->
            line.execute(
                "fly-sim",
                "--listen=127.0.0.1:0",
                "--app=mine",
                "--speed=100",
                "--seed=7",
                "--faults=" + faults,
                "--token=fm2_a",
                "--token=fm2_b@mine"));
    Awaitility.await().atMost(PATIENCE).until(() -> out.toString().contains("Ctrl-C ends it"));
    Matcher url = URL.matcher(out.toString());
    assertThat(url.find()).isTrue();
    assertThat(out.toString()).contains("Try: curl -H 'Authorization: Bearer fm2_a'");
    try (HttpClient client = HttpClient.newHttpClient()) {
      assertThat(get(client, url.group(1) + "/v1/apps/mine/machines", "fm2_b")).isEqualTo("200 []");
      assertThat(get(client, url.group(1) + "/v1/apps/mine/machines", "fm2_c")).startsWith("401");
      assertThat(get(client, url.group(1) + "/sim", ""))
          .contains("\"seed\":7", "\"speed\":100.0", "\"kind\":\"empty_list\"");
      command.end();
      assertThat(exit.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(ExitCode.OK);
    }
    // Another client: the first may still hold a connection whose end it has not noticed.
    try (HttpClient client = HttpClient.newHttpClient()) {
      assertThatThrownBy(() -> get(client, url.group(1) + "/sim", ""))
          .isInstanceOf(ConnectException.class);
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "--listen=0.0.0.0:0           | add --allow-remote",
        "--listen=here                | is not HOST:PORT",
        "--listen=127.0.0.1:70000     | is not HOST:PORT",
        "--speed=0                    | give a number above 0",
        "--faults=no-such-file.json   | cannot be read",
        "--token=@app                 | is empty",
      })
  void wrongUsageSaysWhatToDo(String option, String why) {
    assertThat(line().execute("fly-sim", option)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains(why);
  }

  @Test
  void wrongFaultsFileIsExplained(@TempDir Path folder) throws Exception {
    Path faults = folder.resolve("faults.json");
    Files.writeString(faults, "{\"fautls\":[]}");
    assertThat(line().execute("fly-sim", "--listen=127.0.0.1:0", "--faults=" + faults))
        .isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("'fautls' is unknown");
  }

  private static String get(HttpClient client, String url, String token) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .timeout(PATIENCE)
            .header("Authorization", "Bearer " + token)
            .build();
    var response = client.send(request, BodyHandlers.ofString());
    return response.statusCode() + " " + response.body();
  }
}
