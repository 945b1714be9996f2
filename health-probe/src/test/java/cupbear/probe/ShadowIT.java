// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import cupbear.probe.ProbeResult.NegotiationFailure;
import cupbear.probe.ProbeResult.Ready;
import cupbear.probe.ProbeResult.ReadyNla;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The probe against FreeRDP's shadow server, open and with network level authentication only. */
class ShadowIT {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Deadlines GENEROUS =
      new Deadlines(PATIENCE, PATIENCE, PATIENCE, PATIENCE, PATIENCE, Duration.ofSeconds(2));
  private static final RdpSettings SETTINGS = RdpSettings.standard().withDeadlines(GENEROUS);
  private static final MultiThreadIoEventLoopGroup GROUP =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

  @TempDir private static Path folder;
  private static @Nullable RealPeer screen;
  private static String display = "";

  @BeforeAll
  static void needsShadowAndAScreen() throws IOException {
    assumeTrue(
        shadow().isPresent() && RealPeer.find("Xvfb").isPresent(),
        "FreeRDP's shadow server or Xvfb is not installed here;"
            + " apt-get install freerdp2-shadow-x11 xvfb to run this");
    Path output = folder.resolve("xvfb.out");
    // Xvfb takes the first free display and tells its number.
    List<String> command =
        List.of(
            RealPeer.find("Xvfb").orElseThrow(),
            "-displayfd",
            "1",
            "-screen",
            "0",
            "640x480x24",
            "-nolisten",
            "tcp",
            // Or it starts anew when its last client leaves, and turns away the next one meanwhile.
            "-noreset");
    RealPeer started = RealPeer.start(0, output, Map.of(), command);
    screen = started;
    await()
        .atMost(PATIENCE)
        .until(() -> RealPeer.text(output).lines().anyMatch(line -> line.matches("\\d+")));
    display =
        ":"
            + RealPeer.text(output)
                .lines()
                .filter(l -> l.matches("\\d+"))
                .findFirst()
                .orElseThrow();
  }

  @AfterAll
  static void stop() throws Exception {
    RealPeer started = screen;
    if (started != null) started.close();
    GROUP.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
  }

  @Test
  void openServerAnswersTheLoginRequest() throws Exception {
    try (RealPeer server = start("open")) {
      assertThat(probe(server, SETTINGS))
          .isEqualTo(new Ready(Depth.LOGIN, Selected.TLS, "TLSv1.3"));
      assertThat(probe(server, SETTINGS.withOffer(RdpOffer.STANDARD)))
          .isEqualTo(new Ready(Depth.JOINS, Selected.STANDARD, "none"));
      assertThat(server.children()).isZero();
      assertThat(server.process().isAlive()).isTrue();
    }
  }

  @Test
  void nlaServerCompletesTlsAndSendsItsChallenge() throws Exception {
    // The NT hash of a password that nobody will be asked for.
    Path sam = folder.resolve("sam");
    Files.writeString(sam, "probe:::32ed87bdb5fdc5e9cba88547376818d4:::\n");
    try (RealPeer server = start("nla", "/sec:nla", "+auth", "/sam-file:" + sam)) {
      assertThat(probe(server, SETTINGS))
          .isEqualTo(new ReadyNla(false, Selected.HYBRID, "TLSv1.3"));
      assertThat(probe(server, SETTINGS.withChallenge(true)))
          .isEqualTo(new ReadyNla(true, Selected.HYBRID, "TLSv1.3"));
      assertThat(probe(server, SETTINGS.withOffer(RdpOffer.TLS)))
          .isEqualTo(new NegotiationFailure(5));
      assertThat(server.children()).isZero();
      assertThat(server.process().isAlive()).isTrue();
    }
  }

  private static ProbeResult probe(RealPeer server, RdpSettings settings) throws Exception {
    ProbeRun run = new RdpProbe(settings).start(GROUP.next(), server.address());
    run.closed().toCompletableFuture().get(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS);
    return run.report().toCompletableFuture().get(1, TimeUnit.SECONDS).result();
  }

  private static Optional<String> shadow() {
    return RealPeer.find("freerdp-shadow-cli").or(() -> RealPeer.find("freerdp-shadow-cli3"));
  }

  private static RealPeer start(String name, String... more) throws IOException {
    int port = RealPeer.freePort();
    // It keeps a certificate that it makes itself in its home.
    Path home = Files.createDirectories(folder.resolve(name + "-home"));
    List<String> command = new ArrayList<>();
    command.add(shadow().orElseThrow());
    command.add("/port:" + port);
    command.add("/bind-address:127.0.0.1");
    command.addAll(List.of(more));
    Map<String, String> environment = Map.of("DISPLAY", display, "HOME", home.toString());
    return RealPeer.start(port, folder.resolve(name + ".out"), environment, command)
        .awaitListening();
  }
}
