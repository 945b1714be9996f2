// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A Machine that is yours for now, as the scheduler granted it.
 *
 * @param epoch grows with every grant; a replacement has a higher one
 * @param queued time from the request to the grant, as the scheduler measured it
 * @param confirmWithin say {@link Session#connected} within this time
 * @param receipt the scheduler's signature on this grant; no secret
 */
public record Grant(
    String session,
    String pool,
    String region,
    Machine machine,
    @Nullable Credentials login,
    long epoch,
    Duration queued,
    Lease lease,
    Duration confirmWithin,
    String receipt) {

  /** The one-time login of the desktop; empty when the pool makes none. */
  public Optional<Credentials> credentials() {
    return Optional.ofNullable(login);
  }

  Grant renewed(Lease newer, String newerReceipt) {
    return new Grant(
        session, pool, region, machine, login, epoch, queued, newer, confirmWithin, newerReceipt);
  }

  /**
   * Where to connect.
   *
   * @param address on the private network
   * @param host its name there
   */
  public record Machine(String id, String address, String host, int guacdPort, int rdpPort) {}

  /** A login. The password does not show when this is printed. */
  public record Credentials(String username, String password) {
    @Override
    public String toString() {
      return "Credentials[username=" + username + ", password=***]";
    }
  }

  /**
   * How long it is yours. {@link Session} renews by itself.
   *
   * @param expiresAt by the store's clock, which may differ from yours
   */
  public record Lease(Instant expiresAt, Duration renewWithin) {}
}
