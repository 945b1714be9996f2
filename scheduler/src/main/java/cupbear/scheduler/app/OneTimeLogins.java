// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.security.OneTimeCredentials;
import cupbear.scheduler.security.SealedCredentials;
import cupbear.scheduler.security.SealedCredentials.Binding;
import java.time.Instant;

/**
 * Logins that are made for one boot of one Machine: the Machine gets them as one line {@code
 * user:password}, as {@code chpasswd} reads it, the store gets them sealed. Keeps neither. Any
 * thread.
 */
public final class OneTimeLogins implements Credentials {
  private final OneTimeCredentials source;
  private final SealedCredentials seals;

  public OneTimeLogins(OneTimeCredentials source, SealedCredentials seals) {
    this.source = source;
    this.seals = seals;
  }

  @Override
  public Made make(PoolName pool, MachineId machine, Instant bootedAt) {
    var login = source.next();
    String line = "%s:%s\n".formatted(login.username(), login.password().reveal());
    return new Made(line, seals.seal(login, Binding.of(pool, machine, bootedAt)));
  }
}
