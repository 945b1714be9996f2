// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import cupbear.probe.bench.GoodViewer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code cupbear probe} and {@code cupbear bench probe} over real sockets. */
class ProbeCommandIT {

  private static GoodViewer good;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  static void start() throws IOException {
    good = new GoodViewer();
  }

  @AfterAll
  static void stop() {
    good.close();
  }

  private int run(String... args) {
    CommandLine line = CupbearCommand.commandLine();
    return line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(args);
  }

  private int probe(String host, int guacdPort, int rdpPort, String... more) {
    List<String> args = new ArrayList<>(List.of("probe", host));
    args.addAll(List.of("--guacd-port", "" + guacdPort, "--rdp-port", "" + rdpPort));
    args.addAll(List.of(more));
    return run(args.toArray(String[]::new));
  }

  private JsonNode json() throws IOException {
    return new ObjectMapper().readTree(out.toString());
  }

  @Test
  void aReadyViewerExitsZeroAndShowsEveryStep() {
    int code = probe("127.0.0.1", good.guacd().getPort(), good.rdp().getPort());
    assertThat(code).as("%s%s", out, err).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("guacd", "plugin", "rdp", "x224", "login", " ms")
        .contains("verdict  READY: RDP answered an empty login request")
        .contains("next     nothing");
  }

  @Test
  void forProgramsItHasTheDocumentedShape() throws Exception {
    int code = probe("127.0.0.1", good.guacd().getPort(), good.rdp().getPort(), "-o", "json");
    assertThat(code).isEqualTo(ExitCode.OK);
    assertThat(json().at("/guacd/result").asText()).isEqualTo("READY");
    assertThat(json().at("/plugin/detail").asText()).isEqualTo("RDP_PLUGIN");
    assertThat(json().at("/rdp/result").asText()).isEqualTo("READY");
    assertThat(json().at("/rdp/depth").asText()).isEqualTo("login");
    assertThat(json().at("/rdp/selected").asText()).isEqualTo("TLS");
    assertThat(json().at("/rdp/steps/0/name").asText()).isEqualTo("connect");
    assertThat(json().at("/rdp/steps/0/ms").isNumber()).isTrue();
    assertThat(json().at("/verdict").asText()).isEqualTo("READY");
    assertThat(json().has("ready")).isFalse();
  }

  @Test
  void aNameIsResolvedOnceAndItsAddressShown() throws Exception {
    int code = probe("localhost", good.guacd().getPort(), good.rdp().getPort(), "-o", "json");
    assertThat(code).as("%s%s", out, err).isIn(ExitCode.OK, ExitCode.FAILED);
    assertThat(json().get("host").asText()).isEqualTo("localhost");
    assertThat(json().get("address").asText()).isIn("127.0.0.1", "0:0:0:0:0:0:0:1");
  }

  @Test
  void nothingListensExitsOneAndSaysWhatToTry() throws Exception {
    int closed = closedPort();
    assertThat(probe("127.0.0.1", closed, good.rdp().getPort())).isEqualTo(ExitCode.FAILED);
    assertThat(out.toString())
        .contains("verdict  NOT READY: the Machine refused the connection")
        .contains("counts   strike")
        .contains("next     see whether guacd runs")
        .as("RDP is asked all the same")
        .contains("rdp      READY");
  }

  @Test
  void severalRoundsAreCountedAndThePluginIsAskedForOnce() throws Exception {
    int port = good.guacd().getPort();
    assertThat(probe("127.0.0.1", port, good.rdp().getPort(), "--count", "3"))
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .containsOnlyOnce("plugin   READY")
        .contains("3 of 3 ready", "round 3  READY");
  }

  @Test
  void depthIsAsAsked() throws Exception {
    int port = good.guacd().getPort();
    assertThat(probe("127.0.0.1", port, good.rdp().getPort(), "--depth", "tls", "-o", "json"))
        .isEqualTo(ExitCode.OK);
    assertThat(json().at("/rdp/depth").asText()).isEqualTo("tls");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "10.0.0.1, --any-address allows it",
    "fdaa::3, DNS server",
    "::ffff:127.0.0.1, IPv4 address dressed as IPv6",
    "fe80::1%eth0, zone id",
    "169.254.169.254, link-local",
    "no-such-host.invalid, does not resolve",
    "127.0.0.1 --count 0, must be from 1 to 1000",
    "127.0.0.1 --rdp-port 99999, a port that is not allowed",
    "127.0.0.1 --depth deep, Invalid value",
  })
  void wrongUsageExitsTwoAndSaysWhy(String words, String why) {
    assertThat(run(("probe " + words).split(" "))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains(why);
  }

  @Test
  void theBenchmarkMeasuresAgainstBareConnects() throws Exception {
    String[] small = {
      "bench", "probe", "--rounds", "1", "--per-round", "20", "--in-flight", "4", "-o", "json"
    };
    assertThat(run(small)).as("%s", err).isEqualTo(ExitCode.OK);
    assertThat(json().get("rdp_to_connect").asDouble()).isPositive();
    assertThat(json().at("/rdp/allocated_bytes").asLong()).isPositive();
    assertThat(json().get("machines_per_core").asLong()).isPositive();
    assertThat(run("bench")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("there are: probe");
  }

  private static int closedPort() throws IOException {
    try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return gone.getLocalPort();
    }
  }
}
