// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import java.time.Instant;

/** An address of an app; a viewer app has none. */
public record IpAssignment(
    String ip,
    String region,
    boolean shared,
    boolean egress,
    String serviceName,
    Instant createdAt) {
  public IpAssignment {
    ip = Absent.text(ip);
    region = Absent.text(region);
    serviceName = Absent.text(serviceName);
    createdAt = Absent.time(createdAt);
  }
}
