// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import java.time.Duration;

/**
 * An order for a new Machine.
 *
 * @param name required, and unique to the intent behind it: it is what makes a repeat harmless
 * @param region a code, or a list in order of preference ending in an alias: {@code "lhr,eu"}
 * @param skipLaunch true to leave it stopped
 * @param leaseTtl longer than zero to be born leased to us
 */
public record CreateMachine(
    String name, String region, MachineConfig config, boolean skipLaunch, Duration leaseTtl) {
  public CreateMachine {
    if (name == null || name.isBlank()) {
      throw new IllegalArgumentException(
          "a Machine needs a name: without one a lost answer would make two of it");
    }
    if (config.image().isBlank()) {
      throw new IllegalArgumentException("a Machine needs an image");
    }
    region = Absent.text(region);
  }

  public static CreateMachine of(String name, String region, MachineConfig config) {
    return new CreateMachine(name, region, config, false, Duration.ZERO);
  }

  public CreateMachine stopped() {
    return new CreateMachine(name, region, config, true, leaseTtl);
  }

  public CreateMachine leasedFor(Duration ttl) {
    return new CreateMachine(name, region, config, skipLaunch, ttl);
  }
}
