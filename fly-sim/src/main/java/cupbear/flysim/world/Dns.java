// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What names under {@code .internal} resolve to. Addresses are those of started Machines that did
 * not opt out; only the {@code all.} views know of others. World's thread.
 */
final class Dns {
  private static final int TTL_S = 5;
  private static final String APP = "(?<app>[a-z0-9-]+)\\.internal";

  private static final long ALL = Long.MAX_VALUE;

  private final Platform platform;
  private final List<Shape> shapes;

  Dns(Platform platform) {
    this.platform = platform;
    this.shapes = shapes();
  }

  private record Zone(String type, List<String> answers) {}

  ObjectNode resolve(String name) {
    String wanted = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    Zone zone = zone(wanted);
    ObjectNode json = Json.object().put("name", name).put("type", zone.type).put("ttl", TTL_S);
    json.set("answers", Json.array(zone.answers));
    return json;
  }

  private Zone zone(String name) {
    for (Shape shape : shapes) {
      Matcher match = shape.pattern.matcher(name);
      if (match.matches()) {
        return shape.answer.apply(match);
      }
    }
    throw Errors.notFound("no such name: " + name);
  }

  /** Names that look like this are answered like that; the first that fits counts. */
  private record Shape(Pattern pattern, Function<Matcher, Zone> answer) {}

  private Shape shape(String pattern, Function<Matcher, Zone> answer) {
    return new Shape(Pattern.compile(pattern), answer);
  }

  private List<Shape> shapes() {
    return List.of(
        shape("_apps\\.internal", m -> text(List.of(String.join(",", platform.apps.keySet())))),
        shape("(?<all>all\\.)?_instances\\.internal", m -> text(instances(m.group("all") != null))),
        shape(
            "(?<all>all\\.)?(?<what>vms|regions)\\." + APP,
            m -> text(summary(m.group("app"), m.group("what"), m.group("all") != null))),
        shape(
            "(?<id>[0-9a-f]+)\\.vm\\." + APP,
            m -> addresses(m.group("app"), machine -> machine.id.equals(m.group("id")), ALL)),
        shape(
            "(?<value>[^.]+)\\.(?<key>[^.]+)\\.kv\\._metadata\\." + APP,
            m -> addresses(m.group("app"), tagged(m.group("key"), m.group("value")), ALL)),
        shape(
            "(?<group>[^.]+)\\.process\\." + APP,
            m -> addresses(m.group("app"), tagged("fly_process_group", m.group("group")), ALL)),
        shape(
            "top(?<n>\\d{1,6})\\.nearest\\.of\\." + APP,
            m -> addresses(m.group("app"), machine -> true, Long.parseLong(m.group("n")))),
        shape("(?:global\\.)?" + APP, m -> addresses(m.group("app"), machine -> true, ALL)),
        shape(
            "(?<region>[a-z]+)\\." + APP,
            m ->
                addresses(
                    m.group("app"), machine -> machine.region.equals(m.group("region")), ALL)));
  }

  private static Predicate<Machine> tagged(String key, String value) {
    return machine -> machine.metadata().path(key).asText("").equals(value);
  }

  private static Zone text(List<String> lines) {
    return new Zone("TXT", lines.stream().filter(line -> !line.isEmpty()).toList());
  }

  private Zone addresses(String app, Predicate<Machine> of, long limit) {
    List<String> found =
        machines(app)
            .filter(Dns::isRegistered)
            .filter(of)
            .limit(limit)
            .map(m -> m.privateIp)
            .toList();
    return new Zone(found.stream().anyMatch(ip -> !ip.contains(":")) ? "A" : "AAAA", found);
  }

  private List<String> summary(String app, String what, boolean all) {
    Stream<Machine> seen = machines(app).filter(m -> all ? !m.state.isGone() : isRegistered(m));
    return List.of(
        String.join(
            ",",
            what.equals("vms")
                ? seen.map(m -> m.id + " " + m.region).toList()
                : seen.map(m -> m.region).distinct().sorted().toList()));
  }

  private List<String> instances(boolean all) {
    return platform.apps.values().stream()
        .flatMap(app -> app.machines.values().stream())
        .filter(m -> all ? !m.state.isGone() : isRegistered(m))
        .map(m ->
            "instance=%s,app=%s,ip=%s,region=%s".formatted(m.id, m.app.name, m.privateIp, m.region))
        .toList();
  }

  private Stream<Machine> machines(String name) {
    App app = platform.apps.get(name);
    if (app == null) {
      throw Errors.notFound("no such app: " + name);
    }
    return app.machines.values().stream();
  }

  private static boolean isRegistered(Machine machine) {
    return machine.isRunning()
        && !machine.config().path("dns").path("skip_registration").asBoolean(false);
  }
}
