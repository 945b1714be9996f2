// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import cupbear.flysim.Viewers.Mode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Something that goes wrong until it is cleared or used up.
 *
 * @param id by which it is cleared
 * @param app only there; "" for everywhere. The same for machine (id or name) and region
 * @param actions only for these calls; empty for all
 * @param probability of each occasion
 * @param times how often it still strikes; 0 for without end
 * @param details what belongs to its kind
 */
record Fault(
    String id,
    Kind kind,
    String app,
    String machine,
    String region,
    Set<Action> actions,
    double probability,
    long times,
    ObjectNode details) {

  /** What can go wrong, with the fields that say more about it. */
  enum Kind {
    CAPACITY_REGION("capacity.region"),
    CAPACITY_HOST("capacity.host", "resource", "revert"),
    AMBIGUOUS_CREATE("ambiguous_create", "answer"),
    EMPTY_LIST("empty_list"),
    PARTIAL_LIST("partial_list", "regions"),
    STALE_LIST("stale_list", "ms"),
    RATE_LIMIT("rate_limit"),
    CRASH_LOOP("crash_loop", "exit_code", "oom", "after_ms"),
    LAUNCH_FAILED("launch_failed"),
    BAD_IMAGE("bad_image", "image", "mode"),
    STUCK_CREATED("stuck_created", "ms"),
    START_LOST("start_lost"),
    START_ERROR("start_error", "message"),
    START_MIGRATES("start_migrates"),
    SERVER_ERROR("server_error", "status", "plain_text", "after"),
    MANIFEST_UNKNOWN("manifest_unknown"),
    ORG_MACHINE_LIMIT("org_machine_limit", "limit"),
    SLOW("slow", "ms"),
    CONNECTION_RESET("connection_reset", "after"),
    UNAUTHORIZED("unauthorized");

    private final String wireName;
    // One text, because an enum should hold nothing that could change.
    private final String fields;

    Kind(String wireName, String... fields) {
      this.wireName = wireName;
      this.fields = String.join(",", fields);
    }

    String wireName() {
      return wireName;
    }

    /** The fields that only this kind has. */
    List<String> fields() {
      return fields.isEmpty() ? List.of() : List.of(fields.split(",", -1));
    }

    static Kind named(String name) {
      return Arrays.stream(values())
          .filter(kind -> kind.wireName.equals(name))
          .findFirst()
          .orElseThrow(() ->
              Errors.invalid(
                  "no fault is called '%s'; there are %s"
                      .formatted(name, Arrays.stream(values()).map(Kind::wireName).toList())));
    }
  }

  private static final Set<String> COMMON =
      Set.of("kind", "app", "machine", "region", "actions", "probability", "times");

  /** Reads what {@code POST /sim/faults} and the faults file hold; says what is wrong with it. */
  static Fault read(String id, ObjectNode json) {
    Kind kind = Kind.named(Json.text(json, "kind"));
    ObjectNode details = Json.object();
    for (String field : names(json)) {
      if (kind.fields().contains(field)) {
        details.set(field, json.get(field));
      } else if (!COMMON.contains(field)) {
        throw Errors.invalid(
            "%s has no field '%s'; its own are %s, for all there are %s"
                .formatted(kind.wireName, field, kind.fields(), COMMON));
      }
    }
    double probability = json.path("probability").asDouble(1);
    if (!(probability > 0 && probability <= 1)) {
      throw Errors.invalid("probability must be above 0 and at most 1");
    }
    long times = Json.number(json, "times", 0);
    if (times < 0) {
      throw Errors.invalid("times must be 0 (without end) or more");
    }
    if (details.has("mode")) {
      mode(details);
    }
    return new Fault(
        id,
        kind,
        Json.text(json, "app"),
        Json.text(json, "machine"),
        Json.text(json, "region"),
        actions(json.path("actions")),
        probability,
        times,
        details);
  }

  /** The field "mode", which says how services behave. */
  static Mode mode(ObjectNode json) {
    String wanted = Json.text(json, "mode");
    return Arrays.stream(Mode.values())
        .filter(mode -> mode.name().toLowerCase(Locale.ROOT).equals(wanted))
        .findFirst()
        .orElseThrow(() ->
            Errors.invalid(
                "mode must be one of " + Arrays.toString(Mode.values()).toLowerCase(Locale.ROOT)));
  }

  /** How the services of this image come up; only for {@link Kind#BAD_IMAGE}. */
  Mode services() {
    return details.has("mode") ? mode(details) : Mode.HANG;
  }

  /** Whether this fault is about the image; one that names none is about all. */
  boolean isAbout(String image) {
    return image.contains(Json.text(details, "image"));
  }

  private static List<String> names(ObjectNode json) {
    List<String> names = new ArrayList<>();
    json.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static Set<Action> actions(JsonNode names) {
    Set<Action> actions = new LinkedHashSet<>();
    for (JsonNode name : names) {
      try {
        actions.add(Action.valueOf(name.asText().toUpperCase(Locale.ROOT)));
      } catch (IllegalArgumentException e) {
        throw Errors.invalid(
            "no action is called '%s'; there are %s"
                .formatted(
                    name.asText(), Arrays.stream(Action.values()).map(Action::wireName).toList()));
      }
    }
    return actions;
  }

  /** What a fault is held against: all that is known of the occasion, "" where unknown. */
  record Occasion(Action action, String app, String machineId, String machineName, String region) {

    static Occasion of(Action action, Machine machine) {
      return new Occasion(action, machine.app.name, machine.id, machine.name, machine.region);
    }
  }

  boolean concerns(Occasion occasion) {
    return (app.isEmpty() || app.equals(occasion.app))
        && (machine.isEmpty()
            || machine.equals(occasion.machineId)
            || machine.equals(occasion.machineName))
        && (region.isEmpty() || region.equals(occasion.region))
        && (actions.isEmpty() || actions.contains(occasion.action));
  }

  Fault withTimes(long left) {
    return new Fault(id, kind, app, machine, region, actions, probability, left, details);
  }

  ObjectNode toJson() {
    ObjectNode json = Json.object().put("id", id).put("kind", kind.wireName);
    putIfSet(json, "app", app);
    putIfSet(json, "machine", machine);
    putIfSet(json, "region", region);
    if (!actions.isEmpty()) {
      json.set("actions", Json.array(actions.stream().map(Action::wireName).toList()));
    }
    json.put("probability", probability).put("times", times);
    json.setAll(details);
    return json;
  }

  private static void putIfSet(ObjectNode json, String field, String value) {
    if (!value.isEmpty()) {
      json.put(field, value);
    }
  }
}
