// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import cupbear.scheduler.app.Credentials;
import cupbear.scheduler.security.SealedCredentials;
import cupbear.scheduler.security.Secret;

/** Logins whose password is known, so that one can look for it where it must not be. */
final class Logins {
  static final String CANARY = "canary-of-a-password";

  private Logins() {}

  static Credentials of(SealedCredentials seals) {
    return (pool, machine, bootedAt) ->
        new Credentials.Made(
            "viewer:" + CANARY,
            seals.seal(
                new cupbear.scheduler.security.Credentials("viewer", Secret.of(CANARY)),
                SealedCredentials.Binding.of(pool, machine, bootedAt)));
  }
}
