// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cupbear.flysim.Viewers.Mode;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plays the client's half of recordings of guacd 1.6.0 and expects guacd's half. */
class GuacdReplayIT {

  // Long enough for an answer that should not come to come.
  private static final int SILENCE_MS = 300;

  private final Stage stage = Stage.standard();

  @BeforeEach
  void start() throws Exception {
    stage.start(Mode.READY);
  }

  @AfterEach
  void close() {
    stage.close();
  }

  @Test
  void selectOfAConnectionThatCannotExistIsAnsweredAndEnded() throws Exception {
    try (Peer peer = Peer.guacd(stage.address)) {
      peer.send(sent("guacd-ghost", 1));
      assertThat(peer.instruction()).isEqualTo(text("guacd-ghost", 2));
      assertThat(peer.atEnd()).isTrue();
    }
  }

  @Test
  void selectRdpIsAnsweredWithTheRecordedArguments() throws Exception {
    try (Peer peer = Peer.guacd(stage.address)) {
      peer.send(sent("guacd-args-rdp", 1));
      assertThat(peer.instruction()).isEqualTo(text("guacd-args-rdp", 2));
    }
  }

  @Test
  void wrongNumberOfArgumentsGetsReadyAllTheSameAndNothingMore() throws Exception {
    try (Peer peer = Peer.guacd(stage.address)) {
      peer.send(sent("guacd-args-rdp", 1));
      peer.instruction();
      peer.say("7.connect;");
      assertThat(peer.instruction()).startsWith("5.ready,37.$");
      assertSilent(peer);
    }
  }

  @Test
  void unknownProtocolGetsNeitherAnswerNorEnd() throws Exception {
    try (Peer peer = Peer.guacd(stage.address)) {
      peer.send(sent("guacd-unknown-protocol", 1));
      assertSilent(peer);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET / HTTP/1.1\r\n", "6.select;", "4.size,1.1,1.1,2.96;", "123456.x;"})
  void whatIsNoOpeningIsHungUpOn(String opening) throws Exception {
    try (Peer peer = Peer.guacd(stage.address)) {
      peer.say(opening);
      assertThat(peer.atEnd()).isTrue();
    }
  }

  @Test
  void fullHandshakeDrawsAScreen() throws Exception {
    try (Peer peer = Peer.guacd(stage.address)) {
      String id = handshake(peer, "guacd-ready-refused", "4.3389");
      assertThat(id).hasSize(37).startsWith("$");
      String first = peer.until("sync");
      assertThat(withoutTimes(first))
          .isEqualTo(withoutTimes(text("guacd-ready-xrdp", 10).replaceFirst("5.ready[^;]*;", "")));
      peer.say("4.sync,1.0;");
      assertThat(peer.until("sync"))
          .startsWith("4.size,1.0,4.1024,3.768;4.rect,1.0,1.0,1.0,4.1024,3.768;5.cfill,");
      peer.say("10.disconnect;");
      assertThat(peer.atEnd()).isTrue();
    }
  }

  @Test
  void anotherRdpPortIsRefusedAsRecorded() throws Exception {
    try (Peer peer = Peer.guacd(stage.address)) {
      handshake(peer, "guacd-ready-refused", "1.1");
      assertThat(peer.until("error")).endsWith(text("guacd-ready-refused", 12));
      assertThat(peer.atEnd()).isTrue();
    }
  }

  @Test
  void nlaWithoutUserAsksForOne() throws Exception {
    ViewerSettings nla = ViewerSettings.standard().withRdpSecurity(RdpSecurity.NLA_ONLY);
    try (Stage windows = new Stage(nla).start(Mode.READY);
        Peer peer = Peer.guacd(windows.address)) {
      handshake(peer, "guacd-ready-nla", "4.3389");
      assertThat(peer.instruction())
          .isEqualTo(text("guacd-ready-nla", 10).replaceFirst("5.ready[^;]*;", ""));
    }
  }

  @Test
  void secondClientMayJoinByIdUntilTheFirstLeaves() throws Exception {
    try (Peer first = Peer.guacd(stage.address);
        Peer second = Peer.guacd(stage.address);
        Peer late = Peer.guacd(stage.address)) {
      String id = handshake(first, "guacd-ready-refused", "4.3389");
      second.say("6.select,37." + id + ";");
      assertThat(second.instruction()).startsWith("4.args,");
      first.until("sync");
      first.say("10.disconnect;");
      assertThat(first.atEnd()).isTrue();
      late.say("6.select,37." + id + ";");
      assertThat(late.instruction()).isEqualTo(text("guacd-ghost", 2));
    }
  }

  @Test
  void silentClientIsHungUpOnAfterGuacdsPatience() throws Exception {
    ViewerSettings hasty = ViewerSettings.standard().withGuacdPatience(Duration.ofMillis(50));
    try (Stage other = new Stage(hasty).start(Mode.READY);
        Peer peer = Peer.guacd(other.address)) {
      assertThat(peer.atEnd()).isTrue();
    }
  }

  /** Everything up to {@code connect}, with another RDP port; the connection's id. */
  static String handshake(Peer peer, String label, String port) throws IOException {
    for (Fixture pdu : Fixture.recording(label)) {
      if (pdu.step() == 2) {
        peer.instruction();
      } else if (pdu.step() < 9) {
        peer.send(pdu.octets());
      } else if (pdu.step() == 9) {
        peer.say(ascii(pdu).replaceFirst("(9\\.127\\.0\\.0\\.1,)[^,]*", "$1" + port));
      }
    }
    String ready = peer.instruction();
    assertThat(ready).startsWith("5.ready,37.");
    return ready.substring("5.ready,37.".length(), ready.length() - 1);
  }

  private static void assertSilent(Peer peer) throws IOException {
    peer.patience(SILENCE_MS);
    assertThatThrownBy(peer::atEnd).isInstanceOf(SocketTimeoutException.class);
  }

  private static String withoutTimes(String text) {
    return text.replaceAll("\\d+\\.\\d{7,}", "TIME");
  }

  private static byte[] sent(String label, int step) {
    return Fixture.recording(label).get(step - 1).octets();
  }

  private static String text(String label, int step) {
    return ascii(Fixture.recording(label).get(step - 1));
  }

  private static String ascii(Fixture pdu) {
    return new String(pdu.octets(), StandardCharsets.UTF_8);
  }
}
