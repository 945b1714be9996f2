// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cupbear.flysim.Viewers.Mode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a command inside a Machine changes for those outside. */
class ExecIT {

  private static final String UNAUTHORISED = ",3.769;";

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
  void passwordSetOnStdinIsTheOneThatLogsIn() throws Exception {
    assertThat(loginAs("viewer", "s3cret")).contains(UNAUTHORISED);
    assertThat(stage.exec("viewer:s3cret\n", "chpasswd").exitCode()).isZero();
    assertThat(loginAs("viewer", "s3cret")).doesNotContain(UNAUTHORISED).contains("4.rect,");
    assertThat(loginAs("viewer", "other")).contains(UNAUTHORISED);
  }

  @Test
  void oneTimeUserLogsInUntilTornDown() throws Exception {
    stage.exec("u1:p1\n", "sh", "-c", "useradd -m u1 && chpasswd");
    assertThat(loginAs("u1", "p1")).contains("4.rect,");
    assertThat(stage.exec("", "/usr/local/bin/teardown").exitCode()).isZero();
    assertThat(loginAs("u1", "p1")).contains(UNAUTHORISED);
  }

  @Test
  void teardownEndsTheSessionAndItsFiles() throws Exception {
    stage.exec("draft", "tee", "/home/viewer/letter.txt");
    try (Peer session = Peer.guacd(stage.address)) {
      GuacdReplayIT.handshake(session, "guacd-ready-refused", "4.3389");
      session.until("sync");
      stage.exec("", "teardown");
      assertThat(session.atEnd()).isTrue();
    }
    assertThat(stage.exec("", "cat", "/home/viewer/letter.txt").exitCode()).isEqualTo(1);
  }

  @Test
  void pauseKeepsFilesAndUsersStopWipesThem() throws Exception {
    stage.exec("viewer:pw\n", "chpasswd");
    stage.exec("draft", "tee", "/tmp/a");
    Stage.await(stage.viewers.pause(Stage.MACHINE));
    stage.start(Mode.READY);
    assertThat(stage.exec("", "cat", "/tmp/a").stdout()).isEqualTo("draft");
    assertThat(loginAs("viewer", "pw")).contains("4.rect,");
    Stage.await(stage.viewers.stop(Stage.MACHINE));
    stage.start(Mode.READY);
    assertThat(stage.exec("", "cat", "/tmp/a").exitCode()).isEqualTo(1);
    assertThat(loginAs("viewer", "pw")).contains(UNAUTHORISED);
  }

  @Test
  void hungServicesDoNotStopExec() throws Exception {
    stage.mode(Mode.HANG);
    assertThat(stage.exec("", "echo", "still", "here").stdout()).isEqualTo("still here\n");
  }

  @Test
  void execNeedsAStartedMachine() throws Exception {
    Stage.await(stage.viewers.stop(Stage.MACHINE));
    assertThatThrownBy(() -> stage.exec("", "true")).hasMessageContaining("not started");
    assertThatThrownBy(() -> Stage.await(stage.viewers.exec("ghost", List.of("true"), "")))
        .hasMessageContaining("ghost");
  }

  /** Everything guacd says up to the verdict on a login: a drawn screen or an error. */
  private String loginAs(String user, String password) throws IOException {
    try (Peer peer = Peer.guacd(stage.address)) {
      List<Fixture> recording = Fixture.recording("guacd-ready-xrdp");
      peer.send(recording.get(0).octets());
      peer.instruction();
      String connect = new String(recording.get(8).octets(), StandardCharsets.UTF_8);
      // Version, host, port, time-out, domain, then user and password.
      peer.say(
          connect.replaceFirst(
              "5\\.33890,0\\.,0\\.,0\\.,0\\.",
              "4.3389,0.,0.," + element(user) + "," + element(password)));
      String seen = peer.until("sync");
      peer.say("4.sync,1.0;");
      return seen + peer.instruction() + peer.instruction();
    }
  }

  private static String element(String value) {
    return value.length() + "." + value;
  }
}
