// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Takes an image name apart; an image without a digest gets one made of its name. Stateless. */
final class ImageRef {
  private ImageRef() {}

  static ObjectNode of(String image) {
    String rest = image;
    String digest = "";
    int at = rest.indexOf('@');
    if (at >= 0) {
      digest = rest.substring(at + 1);
      rest = rest.substring(0, at);
    }
    String tag = "";
    int colon = rest.lastIndexOf(':');
    if (colon > rest.lastIndexOf('/')) {
      tag = rest.substring(colon + 1);
      rest = rest.substring(0, colon);
    }
    int slash = rest.indexOf('/');
    String first = slash < 0 ? "" : rest.substring(0, slash);
    boolean hasRegistry = first.contains(".") || first.contains(":") || first.equals("localhost");
    ObjectNode json =
        Json.object()
            .put("registry", hasRegistry ? first : "")
            .put("repository", hasRegistry ? rest.substring(slash + 1) : rest)
            .put("tag", tag)
            .put("digest", digest.isEmpty() ? "sha256:" + sha256(image) : digest);
    json.putObject("labels");
    return json;
  }

  private static String sha256(String text) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
