// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.serve;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.cli.CupbearCommand;
import cupbear.scheduler.cli.ExitCode;
import cupbear.scheduler.security.KeyRing;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Why a scheduler does not start; how it runs is seen end to end, with everything around it. */
class ServeCommandIT {
  private static final Map<String, String> SECRETS =
      Map.of(
          "CUPBEAR_FLY_TOKEN",
          "fm2_any",
          "CUPBEAR_SECRET_KEY",
          KeyRing.newSecret(new SecureRandom()).reveal());

  @TempDir private Path folder;
  private final StringWriter err = new StringWriter();

  private int serve(String yaml, Map<String, String> environment) throws IOException {
    Path file = Files.writeString(folder.resolve("cupbear.yaml"), yaml);
    return CupbearCommand.commandLine(new ServeCommand(environment))
        .setErr(new PrintWriter(err))
        .execute("serve", "-c", file.toString());
  }

  private static String yaml(int redis, int fly) {
    return """
    environment: demo
    fly: {app: cupbear-viewer, org: acme, api: "http://127.0.0.1:%d"}
    redis: {url: "redis://127.0.0.1:%d"}
    listen: {api: "127.0.0.1:0", ops: "127.0.0.1:0"}
    pools:
      viewers:
        template: {version: "7", image: viewer}
        regions:
          iad: {warm_min: 2, warm_max: 4}
    """
        .formatted(fly, redis);
  }

  /** A port where nobody listens. */
  private static int free() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  @Test
  void everyProblemOfTheSettingsIsTold() throws IOException {
    assertThat(serve("environment: moon\npools: {}\n", SECRETS)).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString())
        .contains("environment is moon", "fly.app", "redis.url", "pools is empty")
        .contains("not started, for the reasons above");
  }

  @Test
  void missingSecretsAreNamed() throws IOException {
    assertThat(serve(yaml(1, 1), Map.of())).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("CUPBEAR_FLY_TOKEN", "CUPBEAR_SECRET_KEY");
  }

  @Test
  void aSilentRedisAndMissingTokensAreTwoReasonsAndASilentFlyIsNone() throws IOException {
    assertThat(serve(yaml(free(), free()), SECRETS)).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString())
        .contains("Redis does not answer at redis.url")
        .contains("tokens.json: there is no such file; make it with cupbear token create")
        .doesNotContain("Fly did not say");
  }
}
