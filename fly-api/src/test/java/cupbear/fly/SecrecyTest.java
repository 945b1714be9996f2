// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import cupbear.fly.model.ExecCommand;
import cupbear.fly.model.ExecResult;
import cupbear.fly.model.Lease;
import cupbear.fly.model.Machine;
import cupbear.fly.model.Secret;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tokens, nonces and passwords go to Fly and nowhere else. */
class SecrecyTest {

  private static final String PASSWORD = "hunter2-canary";

  @Test
  void aSecretCannotBePrinted() {
    Secret secret = Secret.of(Desk.TOKEN);
    assertThat(secret).hasToString("***");
    assertThat("x" + secret + List.of(secret)).doesNotContain("canary");
    assertThat(secret.hashCode()).isEqualTo(Secret.of("other").hashCode());
    assertThat(secret).isEqualTo(Secret.of(Desk.TOKEN)).isNotEqualTo(Secret.of("other"));
  }

  @Test
  void norTurnedIntoJson() {
    byte[] json = FlyJson.write(Map.of("token", Secret.of(Desk.TOKEN)));
    assertThat(new String(json, StandardCharsets.UTF_8)).doesNotContain("canary");
  }

  @Test
  void whatFlyEchoesIsMasked() {
    Desk desk = new Desk();
    desk.wire.always(out ->
        ScriptedWire.reply(
            400,
            "{\"error\":\"bad header FlyV1 fm2_someoneElses and "
                + Desk.TOKEN
                + " stdin "
                + PASSWORD
                + "\\r\\nforged log line\"}"));
    FlyFailure failure =
        desk.failure(
            desk.machine.exec(
                ExecCommand.of("chpasswd").reading(Secret.of("y\n" + PASSWORD + "\n"))));
    assertThat(failure.toString() + failure.sentence() + new FlyException(failure))
        .doesNotContain("canary")
        .doesNotContain("someoneElses")
        .doesNotContain("\n")
        .contains("bad header", "forged log line");
  }

  @Test
  void aNonceIsMaskedAndNotPrinted() throws IOException {
    Desk desk = new Desk();
    Lease lease = new Lease("5c35f65c9f95", 0, "o", "d", "");
    desk.wire.then(409, "{\"error\":\"nonce 5c35f65c9f95 is stale\"}");
    FlyFailure failure = desk.failure(desk.machine.refreshLease(lease, Duration.ofSeconds(9)));
    Machine machine =
        FlyJson.read(
            "{\"nonce\":\"5c35f65c9f95\"}".getBytes(StandardCharsets.UTF_8), Machine.class);
    assertThat(failure.sentence() + lease + machine).doesNotContain("5c35f65c9f95");
  }

  @Test
  void valuesThatCarrySecretsDoNotShowThem() {
    ExecCommand command = ExecCommand.of("login", PASSWORD).reading(Secret.of(PASSWORD));
    ExecResult result = new ExecResult(0, 0, PASSWORD, PASSWORD);
    FlyConfig config = FlyConfig.of(URI.create("http://x"), () -> Secret.of(PASSWORD));
    assertThat(command.toString() + result + config).doesNotContain(PASSWORD);
  }

  @Test
  void logsHoldNothing() {
    Logger root = (Logger) LoggerFactory.getLogger("cupbear.fly");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    Level before = root.getLevel();
    lines.start();
    root.addAppender(lines);
    root.setLevel(Level.TRACE);
    try {
      Desk desk = new Desk();
      desk.wire.always(out -> ScriptedWire.reply(503, Desk.TOKEN));
      for (int i = 0; i < 3; i++) {
        desk.failure(desk.machine.get());
      }
      desk.time.advance(Duration.ofSeconds(5));
      desk.wire.then(200, Desk.machine("1", "n", "started"));
      desk.value(desk.machine.get());
      assertThat(lines.list)
          .as("opened and closed")
          .extracting(ILoggingEvent::getFormattedMessage)
          .hasSize(2)
          .allSatisfy(line -> assertThat(line).contains("fly.test").doesNotContain("canary"));
    } finally {
      root.detachAppender(lines);
      root.setLevel(before);
    }
  }
}
