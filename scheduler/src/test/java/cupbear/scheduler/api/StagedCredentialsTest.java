// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cupbear.scheduler.app.OneTimeLogins;
import cupbear.scheduler.app.Pools;
import cupbear.scheduler.app.Staging;
import cupbear.scheduler.app.Staging.Staged;
import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Proof;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.security.KeyRing;
import cupbear.scheduler.security.OneTimeCredentials;
import cupbear.scheduler.security.Receipts;
import cupbear.scheduler.security.SealedCredentials;
import cupbear.scheduler.security.TokenDirectory;
import cupbear.scheduler.security.TokenFile;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the leader stages on a Machine is what the gateway is told, and opens nowhere else. */
class StagedCredentialsTest {
  private static final MachineId MACHINE = new MachineId("3d8d413b29d089");

  /** Finer than the store keeps it. */
  private static final Instant BOOTED = Instant.parse("2026-03-01T08:00:00.123456789Z");

  private static final Instant AS_STORED = Instant.ofEpochMilli(BOOTED.toEpochMilli());

  @TempDir private Path folder = Path.of("");
  private final SecureRandom random = new SecureRandom();
  private final KeyRing keys = KeyRing.of(KeyRing.newSecret(random));
  private final SealedCredentials seals = new SealedCredentials(keys, random);
  private final OneTimeLogins logins = new OneTimeLogins(new OneTimeCredentials(random), seals);

  private Grants grants(SealedCredentials with) {
    var tokens = new TokenDirectory(new TokenFile(folder.resolve("tokens.json")));
    return new Grants(
        new Pools(List.of()), new ApiParts.Trusting(tokens, new Receipts(keys), with));
  }

  private static Grant grant(MachineId machine, Instant bootedAt, String sealed) {
    Instant now = bootedAt.plusSeconds(60);
    return new Grant(
        Staging.POOL,
        new SessionId("ses_viewers_1"),
        new Caller("gateway-1"),
        "key",
        "print",
        machine,
        new Region("iad"),
        "fdaa:9:d844::2",
        new Epoch(7),
        now,
        Duration.ZERO,
        now,
        new Proof(machine, bootedAt, now, now),
        sealed);
  }

  private JsonObject answer(Grant grant) {
    return answer(grant, seals);
  }

  private JsonObject answer(Grant grant, SealedCredentials with) {
    return grants(with).session(grant, Duration.ZERO, grant.confirmBy());
  }

  @Test
  @DisplayName("the gateway gets the login that the Machine read, as one line of user:password")
  void sameOnBothSides() {
    Staged staged = Staging.stage(logins, MACHINE, BOOTED);
    JsonObject told =
        answer(grant(MACHINE, AS_STORED, staged.sealed())).getJsonObject("credentials");
    assertThat(staged.stdin())
        .isEqualTo(told.getString("username") + ":" + told.getString("password") + "\n");
    assertThat(staged.sealed()).doesNotContain(told.getString("password"));
  }

  @Test
  @DisplayName("each staging makes another login")
  void neverTheSame() {
    assertThat(Staging.stage(logins, MACHINE, BOOTED).stdin())
        .isNotEqualTo(Staging.stage(logins, MACHINE, BOOTED).stdin());
  }

  @Test
  @DisplayName("moved to another boot or Machine, or read with another key, it stays shut")
  void elsewhereShut() {
    String sealed = Staging.stage(logins, MACHINE, BOOTED).sealed();
    assertThatThrownBy(() -> answer(grant(MACHINE, AS_STORED.plusMillis(1), sealed)))
        .isInstanceOf(Grants.Sealed.class);
    assertThatThrownBy(() -> answer(grant(new MachineId("other"), AS_STORED, sealed)))
        .isInstanceOf(Grants.Sealed.class);
    KeyRing others = KeyRing.of(KeyRing.newSecret(random));
    SealedCredentials theirs = new SealedCredentials(others, random);
    assertThatThrownBy(() -> answer(grant(MACHINE, AS_STORED, sealed), theirs))
        .isInstanceOf(Grants.Sealed.class);
  }

  @Test
  @DisplayName("neither form is printed")
  void unprinted() {
    var made = logins.make(Staging.POOL, MACHINE, BOOTED);
    assertThat(made).hasToString("credentials");
  }
}
