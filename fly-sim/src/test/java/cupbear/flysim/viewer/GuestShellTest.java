// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.flysim.Viewers.ExecResult;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuestShellTest {

  private final GuestSystem guest = new GuestSystem();
  private final AtomicInteger ended = new AtomicInteger();
  private final GuestShell shell = new GuestShell(guest, ended::incrementAndGet);

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "true                               | 0",
        "false                              | 1",
        "nosuch                             | 127",
        "id viewer                          | 0",
        "id nobody                          | 1",
        "useradd viewer                     | 9",
        "userdel nobody                     | 6",
        "cat /none                          | 1",
        "rm /none                           | 1",
        "rm -rf /none                       | 0",
        "touch /a && test -e /a             | 0",
        "touch /a ; rm /a ; test -e /a      | 1",
        "touch /d/a && rm -r /d && ls /d    | 0",
        "test ! -e /a                       | 2",
        "false && true                      | 1",
        "false ; true                       | 0",
        "echo x > /a                        | 2",
        "echo 'open                         | 2",
        "loginctl list-sessions             | 2",
      })
  void exitCodes(String script, int exit) {
    assertThat(run("", script).exitCode()).isEqualTo(exit);
  }

  @Test
  void quotesKeepWordsTogether() {
    assertThat(run("", "echo 'a && b' \"c  d\"").stdout()).isEqualTo("a && b c  d\n");
  }

  @Test
  void teeKeepsStdin() {
    assertThat(run("hello", "tee /a && cat /a").stdout()).isEqualTo("hellohello");
    assertThat(run("", "ls /").stdout()).isEqualTo("/a\n");
  }

  @Test
  void stagingMakesTheUserAndSetsItsPassword() {
    assertThat(run("viewer-x7:s3cret\n", "/usr/local/bin/cupbear-stage").exitCode()).isZero();
    assertThat(guest.accepts("viewer-x7", "s3cret")).isTrue();
    assertThat(run("viewer-x7:other\n", "cupbear-stage").exitCode()).isZero();
    assertThat(guest.accepts("viewer-x7", "other")).isTrue();
    assertThat(run("", "cupbear-stage").exitCode()).isEqualTo(1);
  }

  @Test
  void chpasswdRefusesWithoutRepeatingTheSecret() {
    for (String stdin : List.of("nobody:s3cret\n", "s3cret\n", "")) {
      ExecResult result = run(stdin, "chpasswd");
      assertThat(result.exitCode()).isEqualTo(1);
      assertThat(result.stderr()).startsWith("chpasswd: ").doesNotContain("s3cret");
    }
    assertThat(guest.accepts("nobody", "s3cret")).isFalse();
  }

  @Test
  void stagingMakesTheUserAndMayBeRepeated() {
    assertThat(run("guest-1:first\n", "/usr/local/bin/cupbear-stage").exitCode()).isZero();
    assertThat(run("guest-1:second\n", "/usr/local/bin/cupbear-stage").exitCode()).isZero();
    assertThat(guest.accepts("guest-1", "second")).isTrue();
    assertThat(run("", "cupbear-stage").exitCode()).isEqualTo(1);
  }

  @Test
  void passwordMayHoldAColonAndLockedUsersNeverLogIn() {
    assertThat(guest.accepts("viewer", "")).isFalse();
    run("viewer:a:b\n", "chpasswd");
    assertThat(guest.accepts("viewer", "a:b")).isTrue();
    run("", "userdel viewer");
    assertThat(guest.accepts("viewer", "a:b")).isFalse();
  }

  @Test
  void endingSessionsIsLeftToTheMachine() {
    run("", "pkill -u viewer");
    run("", "loginctl terminate-user viewer");
    run("", "teardown");
    assertThat(ended).hasValue(3);
  }

  @Test
  void diskHasAnEnd() {
    assertThat(run("x".repeat(GuestSystem.FILE_CHARS_MAX + 1), "tee /a").exitCode()).isEqualTo(1);
    for (int i = 0; i < GuestSystem.FILES_MAX; i++) {
      assertThat(run("", "touch /f" + i).exitCode()).isZero();
    }
    assertThat(run("", "touch /more").stderr()).contains("no space");
  }

  @Test
  void emptyCommandSaysWhatToSend() {
    assertThat(shell.run(List.of(), "").stderr()).contains("[\"true\"]");
  }

  private ExecResult run(String stdin, String script) {
    return shell.run(List.of("sh", "-c", script), stdin);
  }
}
