// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the authorization header the way Fly does: {@code Bearer} and {@code FlyV1} may stand in
 * front, even both, and several macaroons may be separated by commas.
 */
final class Tokens {
  private static final List<String> SCHEMES = List.of("Bearer ", "FlyV1 ");

  private final List<Token> known;

  Tokens(List<Token> known) {
    this.known = List.copyOf(known);
  }

  Optional<Token> find(String header) {
    List<String> secrets = secrets(header);
    return known.stream().filter(token -> secrets.contains(token.secret())).findFirst();
  }

  private static List<String> secrets(String header) {
    String rest = header.strip();
    boolean named = false;
    for (boolean more = true; more; ) {
      more = false;
      for (String scheme : SCHEMES) {
        if (rest.regionMatches(true, 0, scheme, 0, scheme.length())) {
          rest = rest.substring(scheme.length()).strip();
          named = true;
          more = true;
        }
      }
    }
    List<String> secrets = new ArrayList<>();
    if (named) {
      for (String secret : rest.split(",", -1)) {
        secrets.add(secret.strip());
      }
    }
    return secrets;
  }
}
