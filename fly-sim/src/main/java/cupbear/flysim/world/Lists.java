// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import cupbear.flysim.world.Fault.Kind;
import cupbear.flysim.world.Fault.Occasion;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The list of an app and the feed of an organisation: late, and sometimes wrong. */
final class Lists {
  private static final List<String> NOT_IN_SUMMARY =
      List.of("config", "incomplete_config", "checks", "events", "host_status", "nonce");
  private static final int LARGEST_PAGE = 1_000;

  private final Platform platform;

  Lists(Platform platform) {
    this.platform = platform;
  }

  /** One Machine as a list knows it. */
  private record Row(Machine machine, ObjectNode json) {
    String text(String field) {
      return json.path(field).asText();
    }
  }

  Reply app(Request request) {
    Call call = request.call();
    ArrayNode array = Json.array();
    boolean leases = call.flag("include_leases");
    boolean summary = call.flag("summary");
    for (Row row : rows(List.of(request.app()), call, new TreeSet<>())) {
      if (!matchesMetadata(row.json, call.metadataFilters())) {
        continue;
      }
      if (leases) {
        addLease(row.json, row.machine, platform.now());
      }
      if (summary) {
        row.json.remove(NOT_IN_SUMMARY);
      }
      array.add(row.json);
    }
    return Reply.ok(array);
  }

  static void addLease(ObjectNode json, Machine machine, Instant now) {
    Lease lease = machine.leaseAt(now);
    if (lease != null) {
      json.set("lease", lease.stripped());
    }
  }

  private static boolean matchesMetadata(ObjectNode json, Map<String, String> filters) {
    JsonNode metadata = json.path("config").path("metadata");
    return filters.entrySet().stream()
        .allMatch(filter -> metadata.path(filter.getKey()).asText("").equals(filter.getValue()));
  }

  /**
   * What is visible now and passes the filters that both lists have.
   *
   * @param silent takes the regions that did not answer
   */
  private List<Row> rows(List<App> apps, Call call, Set<String> silent) {
    List<Row> rows = new ArrayList<>();
    String region = call.query("region");
    List<String> states = call.queryList("state");
    boolean deleted = call.flag("include_deleted");
    for (App app : apps) {
      if (strikes(Kind.EMPTY_LIST, call, app).isPresent()) {
        continue;
      }
      Set<String> dark = darkRegions(call, app);
      silent.addAll(dark);
      Duration lag = extraLag(call, app);
      for (Machine machine : app.machines.values()) {
        machine
            .history
            .listed(platform.now(), lag)
            .map(json -> new Row(machine, json))
            .filter(row -> region.isEmpty() || row.text("region").equals(region))
            .filter(row -> !dark.contains(row.text("region")))
            .filter(row -> states.isEmpty() || states.contains(row.text("state")))
            .filter(row -> deleted || !row.text("state").equals(State.DESTROYED.wireName()))
            .ifPresent(rows::add);
      }
    }
    return rows;
  }

  private Duration extraLag(Call call, App app) {
    long ms =
        strikes(Kind.STALE_LIST, call, app)
            .map(fault -> fault.details().path("ms").asLong(5_000))
            .orElse(0L);
    return Duration.ofMillis(Math.min(ms, History.LONGEST_LAG.toMillis()));
  }

  private Set<String> darkRegions(Call call, App app) {
    Set<String> dark = new HashSet<>();
    strikes(Kind.PARTIAL_LIST, call, app)
        .ifPresent(
            fault -> fault.details().path("regions").forEach(code -> dark.add(code.asText())));
    return dark;
  }

  private Optional<Fault> strikes(Kind kind, Call call, App app) {
    return platform.faults.strikes(kind, new Occasion(call.action(), app.name, "", "", ""));
  }

  Reply org(Request request) {
    Call call = request.call();
    String org = call.part("org");
    List<App> apps = platform.apps.values().stream().filter(app -> app.org.equals(org)).toList();
    Set<String> dark = new TreeSet<>();
    List<Row> rows = rows(apps, call, dark);
    rows.sort(Comparator.comparing(Lists::position));
    Instant after = updatedAfter(call.query("updated_after"));
    String cursor = position(call.query("cursor"));
    int limit = limit(call.query("limit"));
    List<Row> left =
        rows.stream()
            .filter(row -> Instant.parse(row.text("updated_at")).isAfter(after))
            .filter(row -> cursor.isEmpty() || position(row).compareTo(cursor) > 0)
            .toList();
    List<Row> page = left.stream().limit(limit).toList();
    return Reply.ok(page(page, left.size() > page.size(), call.flag("summary"), dark));
  }

  private static ObjectNode page(List<Row> rows, boolean more, boolean summary, Set<String> dark) {
    ObjectNode json = Json.object();
    ArrayNode machines = json.putArray("machines");
    rows.forEach(row -> machines.add(overview(row, summary)));
    Row last = rows.isEmpty() ? null : rows.getLast();
    json.put("next_cursor", more && last != null ? encoded(position(last)) : "");
    json.put("last_machine_id", last == null ? "" : last.machine.id);
    json.put("last_updated_at", last == null ? "" : last.text("updated_at"));
    json.set("error_regions", Json.array(dark));
    return json;
  }

  private static ObjectNode overview(Row row, boolean summary) {
    ObjectNode json = Json.object().put("id", row.machine.id);
    json.put("app_name", row.machine.app.name);
    for (String field :
        List.of("name", "region", "state", "private_ip", "created_at", "updated_at")) {
      json.put(field, row.text(field));
    }
    json.put("version", row.text("instance_id"));
    if (!summary && row.json.has("config")) {
      ObjectNode config = json.putObject("config");
      for (String field : List.of("image", "guest", "metadata")) {
        config.set(field, row.json.path("config").path(field));
      }
    }
    return json;
  }

  /** Sorts by time of change, then by id. */
  private static String position(Row row) {
    return row.text("updated_at") + " " + row.machine.id;
  }

  private static String encoded(String position) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(position.getBytes(StandardCharsets.UTF_8));
  }

  private static String position(String cursor) {
    try {
      return new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw Errors.invalid("cursor is not one of ours");
    }
  }

  private static Instant updatedAfter(String text) {
    try {
      return text.isEmpty() ? Instant.MIN : Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw Errors.invalid("updated_after must be RFC 3339");
    }
  }

  private static int limit(String text) {
    if (text.isEmpty()) {
      return LARGEST_PAGE;
    }
    if (!text.matches("[1-9]\\d{0,5}")) {
      throw Errors.invalid("limit must be a whole number above 0");
    }
    return Math.min(Integer.parseInt(text), LARGEST_PAGE);
  }
}
