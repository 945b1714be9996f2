// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import java.util.List;

/** What the token in use is good for; the check to make at start-up. */
public record TokenScope(List<Grant> tokens) {

  /**
   * One token of the bundle.
   *
   * @param apps the only apps it opens; empty for the whole organisation
   * @param user set for a login token, which no service should run with
   */
  public record Grant(
      String orgSlug,
      String organization,
      List<String> apps,
      String tokenId,
      String user,
      String restrictedToMachine) {
    public Grant {
      orgSlug = Absent.text(orgSlug);
      organization = Absent.text(organization);
      apps = Absent.list(apps);
      tokenId = Absent.text(tokenId);
      user = Absent.text(user);
      restrictedToMachine = Absent.text(restrictedToMachine);
    }
  }

  public TokenScope {
    tokens = Absent.list(tokens);
  }
}
