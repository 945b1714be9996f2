// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

/**
 * An order for an app.
 *
 * @param network its own 6PN network; empty for the organisation's default. Cannot be changed later
 */
public record NewApp(String name, String orgSlug, String network) {
  public NewApp {
    if (name == null || name.isBlank()) {
      throw new IllegalArgumentException("an app needs a name");
    }
    orgSlug = Absent.text(orgSlug);
    network = Absent.text(network);
  }
}
