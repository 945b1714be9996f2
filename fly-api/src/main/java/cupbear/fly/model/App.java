// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import org.jspecify.annotations.Nullable;

/**
 * An app.
 *
 * @param network the 6PN network it lives on, for life; empty for the organisation's default
 * @param networkCidr the addresses of that network; empty when Fly left it out
 * @param organization null when Fly left it out
 */
public record App(
    String id,
    String name,
    String status,
    String network,
    String networkCidr,
    @Nullable Organization organization,
    int machineCount,
    int volumeCount) {

  /** The owner. */
  public record Organization(String name, String slug) {
    public Organization {
      name = Absent.text(name);
      slug = Absent.text(slug);
    }
  }

  public App {
    id = Absent.text(id);
    name = Absent.text(name);
    status = Absent.text(status);
    network = Absent.text(network);
    networkCidr = Absent.text(networkCidr);
  }

  /** This app; by that name where Fly left the name out, as in the answer to a create. */
  public App orNamed(String known) {
    return name.isEmpty()
        ? new App(id, known, status, network, networkCidr, organization, machineCount, volumeCount)
        : this;
  }
}
