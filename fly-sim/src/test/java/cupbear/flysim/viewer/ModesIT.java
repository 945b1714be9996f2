// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import cupbear.flysim.Viewers.Launch;
import cupbear.flysim.Viewers.Mode;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How each mode looks from outside, and how one follows another. */
class ModesIT {

  private static final String GHOST = "6.select,37.$00000000-0000-0000-0000-000000000000;";
  private static final String NO_SUCH = "5.error,19.No such connection.,3.516;";

  private static final Answered ONE_OF_EACH = new Answered(1, 1);

  // Long enough for an answer that should not come to come.
  private static final int SILENCE_MS = 300;

  private final Stage stage =
      new Stage(ViewerSettings.standard().withDripEvery(Duration.ofNanos(100_000)));

  @AfterEach
  void close() {
    stage.close();
  }

  @Test
  void reservedIsNotListening() throws Exception {
    assertRefused();
  }

  @ParameterizedTest
  @EnumSource(names = {"BOOTING", "CRASHED"})
  void nothingListens(Mode mode) throws Exception {
    stage.start(mode);
    assertRefused();
  }

  @Test
  void bootDelayRefusesThenAnswers() throws Exception {
    Launch slow = new Launch(Duration.ofMillis(400), Mode.READY);
    Stage.await(stage.viewers.start(Stage.MACHINE, slow));
    assertRefused();
    await().atMost(Duration.ofSeconds(20)).until(this::answers);
  }

  @Test
  void stopDuringBootEndsTheBoot() throws Exception {
    Launch slow = new Launch(Duration.ofMillis(100), Mode.READY);
    Stage.await(stage.viewers.start(Stage.MACHINE, slow));
    Stage.await(stage.viewers.stop(Stage.MACHINE));
    await().during(Duration.ofMillis(300)).atMost(Duration.ofSeconds(20)).until(this::refused);
  }

  @Test
  void hangAcceptsAndNeverAnswers() throws Exception {
    stage.start(Mode.HANG);
    try (Peer guacd = Peer.guacd(stage.address);
        Peer rdp = Peer.rdp(stage.address)) {
      guacd.say(GHOST);
      rdp.send(Fixture.recording("xrdp10-req3").get(0).octets());
      assertSilent(guacd);
      assertSilent(rdp);
    }
  }

  @Test
  void whatWasAnsweredIsCountedUntilTheNextStart() throws Exception {
    assertThat(stage.viewers.answered("nobody")).isEmpty();
    stage.start(Mode.READY);
    assertThat(answers()).isTrue();
    assertThat(stage.viewers.answered(Stage.MACHINE)).contains(new Answered(1, 0));
    try (Peer rdp = Peer.rdp(stage.address)) {
      Fixture request = Fixture.recording("xrdp10-req3").get(0);
      rdp.send(request.octets());
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> stage.viewers.answered(Stage.MACHINE).equals(Optional.of(ONE_OF_EACH)));
    }
    stage.start(Mode.READY);
    assertThat(stage.viewers.answered(Stage.MACHINE)).contains(Answered.NOTHING);
  }

  @Test
  void hangFreezesConnectionsThatWereAnswered() throws Exception {
    stage.start(Mode.READY);
    try (Peer guacd = Peer.guacd(stage.address)) {
      guacd.say("6.select,3.rdp;");
      assertThat(guacd.instruction()).startsWith("4.args,");
      stage.mode(Mode.HANG);
      guacd.say("7.connect;");
      assertSilent(guacd);
    }
  }

  @Test
  void crashEndsConnectionsAndRefusesNewOnes() throws Exception {
    stage.start(Mode.READY);
    try (Peer guacd = Peer.guacd(stage.address)) {
      guacd.say("6.select,3.rdp;");
      guacd.instruction();
      stage.mode(Mode.CRASHED);
      assertThatThrownBy(guacd::atEnd).isInstanceOf(SocketException.class);
    }
    assertRefused();
  }

  @Test
  void dripAnswersRightByteByByte() throws Exception {
    stage.start(Mode.DRIP);
    try (Peer guacd = Peer.guacd(stage.address);
        Peer rdp = Peer.rdp(stage.address)) {
      guacd.say(GHOST);
      assertThat(guacd.instruction()).isEqualTo(NO_SUCH);
      assertThat(guacd.atEnd()).isTrue();
      for (Fixture pdu : Fixture.recording("xrdp10-req3")) {
        if (pdu.step() == 3) {
          rdp.startTls();
        }
        if (pdu.fromClient()) {
          rdp.send(pdu.octets());
        } else {
          assertThat(rdp.hex(pdu.octets().length)).as(pdu.what()).isEqualTo(pdu.hex());
        }
      }
    }
  }

  @Test
  void dripDoesNotHoldTheFirstByteBackForTheLast() throws Exception {
    try (Stage slow =
            new Stage(ViewerSettings.standard().withDripEvery(Duration.ofMillis(250)))
                .start(Mode.DRIP);
        Peer guacd = Peer.guacd(slow.address)) {
      guacd.say(GHOST);
      assertThat(guacd.hex(1)).isEqualTo("35");
      guacd.patience(20);
      assertThatThrownBy(guacd::atEnd).isInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void garbageComesAtOnceAndIsNoProtocol() throws Exception {
    stage.start(Mode.GARBAGE);
    try (Peer guacd = Peer.guacd(stage.address);
        Peer rdp = Peer.rdp(stage.address)) {
      assertThat(guacd.hex(1)).isEqualTo("fe");
      assertThat(rdp.hex(1)).isNotEqualTo("03");
    }
  }

  @Test
  void modeChosenOutlivesAStop() throws Exception {
    stage.start(Mode.READY);
    stage.mode(Mode.CRASHED);
    Stage.await(stage.viewers.stop(Stage.MACHINE));
    stage.start(Mode.READY);
    assertRefused();
    stage.mode(Mode.READY);
    assertThat(answers()).isTrue();
  }

  @Test
  void modeOfAMachineThatDoesNotRunOpensNothing() throws Exception {
    stage.mode(Mode.READY);
    assertRefused();
  }

  @Test
  void modesFollowEachOtherWithoutAPause() throws Exception {
    stage.start(Mode.READY);
    for (int i = 0; i < 50; i++) {
      var crashed = stage.viewers.mode(Stage.MACHINE, Mode.CRASHED);
      stage.mode(Mode.READY);
      Stage.await(crashed);
      assertThat(answers()).isTrue();
    }
  }

  private boolean answers() throws IOException {
    if (refused()) {
      return false;
    }
    try (Peer guacd = Peer.guacd(stage.address)) {
      guacd.say(GHOST);
      return guacd.instruction().equals(NO_SUCH) && guacd.atEnd();
    }
  }

  private boolean refused() throws IOException {
    return Peer.refused(stage.address.host(), stage.address.guacdPort())
        && Peer.refused(stage.address.host(), stage.address.rdpPort());
  }

  private void assertRefused() throws IOException {
    assertThat(refused()).isTrue();
  }

  private static void assertSilent(Peer peer) throws IOException {
    peer.patience(SILENCE_MS);
    assertThatThrownBy(peer::atEnd).isInstanceOf(SocketTimeoutException.class);
  }
}
