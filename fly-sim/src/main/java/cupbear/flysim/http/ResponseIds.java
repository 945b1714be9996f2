// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.http;

import io.vertx.core.http.HttpServerResponse;
import java.util.HexFormat;
import java.util.Random;

/** The headers that every answer of Fly carries. Owned by the world's context. */
final class ResponseIds {
  private static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  private static final int ULID_CHARACTERS = 26;

  // Not from the world's seed: headers say nothing about the simulated state.
  private final Random random = new Random();

  void addTo(HttpServerResponse response) {
    response
        .putHeader("fly-request-id", ulid() + "-iad")
        .putHeader("fly-trace-id", hex(16))
        .putHeader("fly-span-id", hex(8))
        .putHeader("server", "Fly/0000000 (fly-sim)")
        .putHeader("via", "1.1 fly.io");
  }

  private String ulid() {
    StringBuilder id = new StringBuilder("0");
    while (id.length() < ULID_CHARACTERS) {
      id.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return id.toString();
  }

  private String hex(int bytes) {
    byte[] octets = new byte[bytes];
    random.nextBytes(octets);
    return HexFormat.of().formatHex(octets);
  }
}
