// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import cupbear.flysim.FlySimConfig;
import cupbear.flysim.NoViewers;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The walk in docs/fly-sim.md works as printed. */
class FlySimPageIT {
  // A bound for a hanging shell, not an expectation.
  private static final long PATIENCE_S = 120;

  @Test
  void walkRunsAsPrinted() throws Exception {
    assumeTrue(onPath("curl") && onPath("bash"), "bash or curl is missing: the walk cannot run");
    try (Running running =
        new Running(FlySimConfig.standard().withSpeed(50).withViewers(NoViewers::new))) {
      ProcessBuilder shell = new ProcessBuilder("bash", "-c", walk()).redirectErrorStream(true);
      shell.environment().put("FLY_API_HOSTNAME", running.sim.url());
      shell.environment().put("FLY_API_TOKEN", FlySimConfig.TOKEN);
      shell.environment().put("FLY_APP", FlySimConfig.APP);
      // Some machines send everything through a proxy, loopback included.
      shell.environment().put("no_proxy", "*");
      Process process = shell.start();
      try {
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        assertThat(said)
            .containsPattern("created [0-9a-f]{14}")
            .contains("\"state\":\"started\"")
            .contains("{\"pool_state\":\"warm\"}")
            .contains("suspend without the nonce: 409")
            .contains("\"state\":\"stopped\"")
            .contains("{\"status\":\"success\",\"data\":{\"ok\":true}}")
            .contains("\"previous_state\":\"stopped\"")
            .contains("\"state\":\"destroyed\"");
      } finally {
        process.destroyForcibly();
      }
    }
  }

  private static String walk() throws IOException {
    String page = FlySimPageTest.page();
    int from = page.indexOf("```sh\n", page.indexOf("<!-- walk -->")) + "```sh\n".length();
    return page.substring(from, page.indexOf("```", from));
  }

  private static boolean onPath(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
