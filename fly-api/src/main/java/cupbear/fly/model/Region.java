// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

/** A place where Machines can run. */
public record Region(
    String code,
    String name,
    double latitude,
    double longitude,
    boolean gatewayAvailable,
    boolean requiresPaidPlan,
    boolean deprecated,
    String geoRegion) {
  public Region {
    code = Absent.text(code);
    name = Absent.text(name);
    geoRegion = Absent.text(geoRegion);
  }
}
