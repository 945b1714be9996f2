// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;

/**
 * What goes back over the wire.
 *
 * @param status the HTTP status, or {@link #HANG_UP}
 * @param body missing for none; a text node goes out as plain text, all else as JSON
 */
public record Reply(int status, JsonNode body) {

  /** Not an answer: the connection is closed instead. */
  public static final int HANG_UP = 0;

  static Reply of(int status, JsonNode body) {
    return new Reply(status, body);
  }

  static Reply ok(JsonNode body) {
    return new Reply(200, body);
  }

  /** {@code {"ok":true}}. */
  static Reply done() {
    return ok(Json.object().put("ok", true));
  }

  static Reply empty(int status) {
    return new Reply(status, MissingNode.getInstance());
  }

  static Reply text(int status, String text) {
    return new Reply(status, TextNode.valueOf(text));
  }

  static Reply hangUp() {
    return empty(HANG_UP);
  }

  public boolean isHangUp() {
    return status == HANG_UP;
  }
}
