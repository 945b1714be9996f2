// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import java.util.Map;

/**
 * A port that Fly Proxy serves to the outside. Read only here, so it is kept as it came and goes
 * back unchanged; a viewer Machine has none.
 */
public record Service(@JsonValue Map<String, Object> fields) {

  /** What Fly Proxy does with an idle Machine. Fly answers a boolean for the first two. */
  public enum Autostop {
    OFF,
    STOP,
    SUSPEND,
    UNKNOWN
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public Service {
    fields = Absent.map(fields);
  }

  public String protocol() {
    return String.valueOf(fields.getOrDefault("protocol", ""));
  }

  public int internalPort() {
    return fields.get("internal_port") instanceof Number port ? port.intValue() : 0;
  }

  public boolean autostart() {
    return Boolean.TRUE.equals(fields.get("autostart"));
  }

  public Autostop autostop() {
    Object value = fields.get("autostop");
    if (value == null) {
      return Autostop.OFF;
    }
    return switch (value.toString().toLowerCase(Locale.ROOT)) {
      case "false", "off", "" -> Autostop.OFF;
      case "true", "stop" -> Autostop.STOP;
      case "suspend" -> Autostop.SUSPEND;
      default -> Autostop.UNKNOWN;
    };
  }
}
