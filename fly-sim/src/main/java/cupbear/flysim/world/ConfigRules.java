// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks a Machine config and writes it as Fly echoes it: with defaults, durations as strings,
 * {@code autostop} as a boolean for off and stop. Pure; refuses with 400.
 */
final class ConfigRules {
  static final Set<String> STOP_SIGNALS =
      Set.of("SIGHUP", "SIGINT", "SIGQUIT", "SIGKILL", "SIGUSR1", "SIGUSR2", "SIGTERM");
  static final Duration LONGEST_STOP = Duration.ofMinutes(5);

  private static final Set<String> POLICIES = Set.of("no", "always", "on-failure", "spot-price");
  private static final Set<String> SCHEDULES = Set.of("hourly", "daily", "weekly", "monthly");
  private static final List<String> CHECK_TIMES = List.of("interval", "timeout", "grace_period");
  private static final int MEMORY_UNIT_MB = 256;

  private ConfigRules() {}

  static ObjectNode accept(JsonNode wanted, Switches switches) {
    if (!(wanted instanceof ObjectNode given)) {
      throw Errors.invalid("config is required");
    }
    ObjectNode config = given.deepCopy();
    if (Json.text(config, "image").isBlank()) {
      throw Errors.invalid("config.image is required");
    }
    metadata(config);
    restart(config);
    schedule(config, switches);
    guest(config);
    stopConfig(config);
    config.path("checks").forEach(ConfigRules::checkTimes);
    config.path("services").forEach(ConfigRules::service);
    if (config.path("mounts").size() > 0) {
      throw Errors.invalid("config.mounts: volumes are not simulated");
    }
    config.withObjectProperty("init");
    config.withObjectProperty("dns");
    return config;
  }

  private static void metadata(ObjectNode config) {
    JsonNode metadata = config.path("metadata");
    if (metadata.isMissingNode() || metadata.isNull()) {
      config.putObject("metadata");
      return;
    }
    if (!metadata.isObject()) {
      throw Errors.invalid("config.metadata must be an object");
    }
    metadata
        .properties()
        .forEach(entry -> {
          if (!entry.getValue().isTextual()) {
            throw Errors.invalid("config.metadata." + entry.getKey() + " must be a string");
          }
        });
  }

  private static void restart(ObjectNode config) {
    String policy = Json.text(config.path("restart"), "policy");
    if (!policy.isEmpty() && !POLICIES.contains(policy)) {
      throw Errors.invalid("config.restart.policy must be one of " + POLICIES);
    }
    if (Json.number(config.path("restart"), "max_retries", 0) < 0) {
      throw Errors.invalid("config.restart.max_retries must not be negative");
    }
  }

  private static void schedule(ObjectNode config, Switches switches) {
    String schedule = Json.text(config, "schedule");
    if (!schedule.isEmpty()
        && !SCHEDULES.contains(schedule)
        && switches.badSchedule() == Switches.Verdict.REFUSE) {
      throw Errors.invalid("config.schedule must be one of " + SCHEDULES);
    }
  }

  private static void guest(ObjectNode config) {
    ObjectNode guest = config.withObjectProperty("guest");
    String kind = guest.path("cpu_kind").asText("shared");
    if (!kind.equals("shared") && !kind.equals("performance")) {
      throw Errors.invalid("config.guest.cpu_kind must be shared or performance");
    }
    boolean shared = kind.equals("shared");
    long cpus = Json.number(guest, "cpus", 1);
    long least = (shared ? 256 : 2_048) * cpus;
    long most = (shared ? 2_048 : 8_192) * cpus;
    long memory = Json.number(guest, "memory_mb", least);
    if (cpus < 1 || memory % MEMORY_UNIT_MB != 0 || memory < least || memory > most) {
      throw Errors.invalid(
          "config.guest: %d %s CPUs can have %d to %d MB in steps of %d"
              .formatted(cpus, kind, least, most, MEMORY_UNIT_MB));
    }
    guest.put("cpu_kind", kind).put("cpus", cpus).put("memory_mb", memory);
  }

  private static void stopConfig(ObjectNode config) {
    if (config.path("stop_config") instanceof ObjectNode stop) {
      String signal = Json.text(stop, "signal");
      if (!signal.isEmpty() && !STOP_SIGNALS.contains(signal)) {
        throw Errors.invalid("config.stop_config.signal must be one of " + STOP_SIGNALS);
      }
      duration(stop, "timeout");
      if (stopTimeout(config).compareTo(LONGEST_STOP) > 0) {
        throw Errors.invalid("config.stop_config.timeout must be at most 300s");
      }
    }
  }

  /** How long a stop waits before it kills. */
  static Duration stopTimeout(ObjectNode config) {
    JsonNode timeout = config.path("stop_config").path("timeout");
    return timeout.isTextual()
        ? GoDuration.parse(timeout.textValue(), "stop_config.timeout")
        : Duration.ofSeconds(5);
  }

  private static void checkTimes(JsonNode check) {
    if (check instanceof ObjectNode object) {
      CHECK_TIMES.forEach(field -> duration(object, field));
    }
  }

  private static void service(JsonNode one) {
    if (!(one instanceof ObjectNode service)) {
      throw Errors.invalid("config.services must hold objects");
    }
    service.path("checks").forEach(ConfigRules::checkTimes);
    JsonNode autostop = service.path("autostop");
    if (autostop.isMissingNode() || autostop.isBoolean()) {
      return;
    }
    JsonNode echoed = AUTOSTOP.get(autostop.asText());
    if (echoed == null) {
      throw Errors.invalid("config.services.autostop must be off, stop, suspend or a boolean");
    }
    service.set("autostop", echoed);
  }

  private static final Map<String, JsonNode> AUTOSTOP =
      Map.of(
          "off", BooleanNode.FALSE,
          "stop", BooleanNode.TRUE,
          "suspend", TextNode.valueOf("suspend"));

  private static void duration(ObjectNode in, String field) {
    JsonNode value = in.path(field);
    if (!value.isMissingNode() && !value.isNull()) {
      in.put(field, GoDuration.format(GoDuration.from(value, field)));
    }
  }

  /** Why a Machine cannot be suspended; "" when it can. */
  static String suspendObstacle(ObjectNode config) {
    if (config.path("init").path("swap_size_mb").asLong(0) > 0) {
      return "unable to suspend machine with swap";
    }
    if (!config.path("schedule").asText("").isEmpty()) {
      return "unable to suspend machine with a schedule";
    }
    return "";
  }
}
