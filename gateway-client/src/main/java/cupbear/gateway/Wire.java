// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** Answers of the API as records. Unknown fields are ignored, missing ones are a broken answer. */
final class Wire {
  private Wire() {}

  /**
   * What a renewal says.
   *
   * @param replacement a new grant, when the Machine died and another took its place
   */
  record Renewed(
      String session, long epoch, Grant.Lease lease, String receipt, @Nullable Grant replacement) {}

  static Grant grant(JsonObject json) {
    @Nullable JsonObject login =
        json.containsKey("credentials") ? object(json, "credentials") : null;
    return new Grant(
        text(json, "id"),
        text(json, "pool"),
        text(json, "region"),
        machine(object(json, "machine")),
        login == null
            ? null
            : new Grant.Credentials(text(login, "username"), text(login, "password")),
        number(json, "epoch"),
        Duration.ofMillis(number(json, "queue_ms")),
        lease(object(json, "lease")),
        duration(json, "confirm_within"),
        text(json, "receipt"));
  }

  static Renewed renewed(JsonObject json) {
    return new Renewed(
        text(json, "id"),
        number(json, "epoch"),
        lease(object(json, "lease")),
        text(json, "receipt"),
        json.containsKey("replacement") ? grant(object(json, "replacement")) : null);
  }

  private static Grant.Machine machine(JsonObject json) {
    return new Grant.Machine(
        text(json, "id"),
        text(json, "address"),
        text(json, "host"),
        port(json, "guacd_port"),
        port(json, "rdp_port"));
  }

  private static Grant.Lease lease(JsonObject json) {
    try {
      return new Grant.Lease(
          Instant.parse(text(json, "expires_at")), duration(json, "renew_within"));
    } catch (DateTimeParseException noTime) {
      throw new GarbledAnswer("the answer's expires_at is no time");
    }
  }

  private static Duration duration(JsonObject json, String field) {
    try {
      return DurationText.parse(text(json, field));
    } catch (IllegalArgumentException noDuration) {
      throw new GarbledAnswer("the answer's " + field + " " + noDuration.getMessage());
    }
  }

  private static int port(JsonObject json, String field) {
    long port = number(json, field);
    if (port < 1 || port > 65535) throw new GarbledAnswer("the answer's " + field + " is no port");
    return (int) port;
  }

  private static String text(JsonObject json, String field) {
    if (json.getValue(field) instanceof String text && !text.isEmpty()) return text;
    throw new GarbledAnswer("the answer has no " + field);
  }

  private static long number(JsonObject json, String field) {
    Object value = json.getValue(field);
    boolean whole = value instanceof Integer || value instanceof Long;
    if (whole && ((Number) value).longValue() >= 0) return ((Number) value).longValue();
    throw new GarbledAnswer("the answer's " + field + " is no whole number");
  }

  private static JsonObject object(JsonObject json, String field) {
    if (json.getValue(field) instanceof JsonObject object) return object;
    throw new GarbledAnswer("the answer has no " + field);
  }
}
