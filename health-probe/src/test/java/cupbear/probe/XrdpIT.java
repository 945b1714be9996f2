// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import cupbear.probe.ProbeResult.NegotiationFailure;
import cupbear.probe.ProbeResult.Ready;
import cupbear.probe.ProbeResult.TimedOut;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The probe against xrdp itself, in its three security layers and with a broken key. */
class XrdpIT {

  private static final Path INSTALLED = Path.of("/etc/xrdp/xrdp.ini");
  private static final Path RSA_KEYS = Path.of("/etc/xrdp/rsakeys.ini");
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int ERRORS_PER_PROBE_MAX = 5;
  private static final Deadlines GENEROUS =
      new Deadlines(PATIENCE, PATIENCE, PATIENCE, PATIENCE, PATIENCE, Duration.ofSeconds(2));
  private static final RdpSettings SETTINGS = RdpSettings.standard().withDeadlines(GENEROUS);

  private static final MultiThreadIoEventLoopGroup GROUP =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

  @TempDir private static Path folder;

  @BeforeAll
  static void needsXrdp() throws Exception {
    assumeTrue(
        RealPeer.find("xrdp").isPresent() && Files.isReadable(INSTALLED),
        "xrdp is not installed here; apt-get install xrdp xorgxrdp to run this");
    assumeTrue(Files.isReadable(RSA_KEYS), "xrdp's keys are readable for root only; run as root");
    RealPeer.writeKey(folder.resolve("key.pem"), folder.resolve("cert.pem"));
  }

  @AfterAll
  static void stop() throws Exception {
    GROUP.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
  }

  @ParameterizedTest(name = "security_layer={0}: {2} by {1}")
  @CsvSource({"negotiate, TLS, LOGIN", "tls, TLS, LOGIN", "rdp, STANDARD, JOINS"})
  void isReadyAndNothingIsLeftBehind(String layer, Selected selected, Depth reached)
      throws Exception {
    try (RealPeer xrdp = start(layer, "key.pem")) {
      int probes = 3;
      for (int i = 0; i < probes; i++) {
        ProbeResult result = probe(xrdp, SETTINGS).result();
        String tls = selected == Selected.TLS ? "TLSv1.3" : "none";
        assertThat(result).isEqualTo(new Ready(reached, selected, tls));
        await().atMost(PATIENCE).until(() -> xrdp.children() == 0);
      }
      String log = log(layer);
      assertThat(log).contains("healthprobe");
      assertThat(errors(log)).as(log).isBetween(1L, (long) probes * ERRORS_PER_PROBE_MAX);
      // What xrdp says when somebody logs in, or just tries to.
      assertThat(log).doesNotContain("sesman", "login successful", "Xorg", "lib_mod");
      assertThat(xrdp.process().isAlive()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(Depth.class)
  void everyDepthIsReachedAndLeavesNoProcess(Depth depth) throws Exception {
    try (RealPeer xrdp = start("negotiate", "key.pem")) {
      ProbeReport report = probe(xrdp, SETTINGS.withDepth(depth));
      String tls = depth == Depth.NEGOTIATE ? "none" : "TLSv1.3";
      assertThat(report.result()).isEqualTo(new Ready(depth, Selected.TLS, tls));
      await().atMost(PATIENCE).until(() -> xrdp.children() == 0);
    }
  }

  @Test
  void aMissingKeyIsToldApart() throws Exception {
    try (RealPeer xrdp = start("tls", "no-such-key.pem")) {
      assertThat(probe(xrdp, SETTINGS).result()).isEqualTo(new NegotiationFailure(3));
    }
  }

  @Test
  void aStoppedProcessIsNotReadyThoughItsKernelConnects() throws Exception {
    Deadlines impatient =
        new Deadlines(
            PATIENCE, Duration.ofSeconds(1), PATIENCE, PATIENCE, PATIENCE, Duration.ofSeconds(1));
    try (RealPeer xrdp = start("negotiate", "key.pem")) {
      xrdp.signal("STOP");
      try {
        assertThat(probe(xrdp, SETTINGS.withDeadlines(impatient)).result())
            .isEqualTo(new TimedOut(ProbeStep.X224, 0, 4, Duration.ofSeconds(1)));
      } finally {
        xrdp.signal("CONT");
      }
    }
  }

  private static ProbeReport probe(RealPeer xrdp, RdpSettings settings) throws Exception {
    ProbeRun run = new RdpProbe(settings).start(GROUP.next(), xrdp.address());
    run.closed().toCompletableFuture().get(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS);
    return run.report().toCompletableFuture().get(1, TimeUnit.SECONDS);
  }

  private static RealPeer start(String layer, String key) throws IOException {
    int port = RealPeer.freePort();
    Path log = folder.resolve(layer + ".log");
    Files.deleteIfExists(log);
    String settings =
        Files.readString(INSTALLED)
            .replaceAll("(?m)^port=3389", "port=tcp://127.0.0.1:" + port)
            .replaceAll("(?m)^security_layer=.*", "security_layer=" + layer)
            .replaceAll("(?m)^certificate=.*", "certificate=" + folder.resolve("cert.pem"))
            .replaceAll("(?m)^key_file=.*", "key_file=" + folder.resolve(key))
            .replaceAll("(?m)^LogFile=.*", "LogFile=" + log)
            .replaceAll("(?m)^LogLevel=.*", "LogLevel=INFO")
            .replaceAll("(?m)^EnableSyslog=.*", "EnableSyslog=false");
    Path ini = Files.writeString(folder.resolve(layer + ".ini"), settings);
    List<String> command =
        List.of(RealPeer.find("xrdp").orElseThrow(), "--nodaemon", "--config", ini.toString());
    Path output = folder.resolve(layer + ".out");
    return RealPeer.start(port, output, Map.of(), command).awaitListening();
  }

  private static String log(String layer) {
    return RealPeer.text(folder.resolve(layer + ".log"));
  }

  private static long errors(String log) {
    return log.lines().filter(line -> line.contains("[ERROR]")).count();
  }
}
