// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import cupbear.flysim.world.Fault.Kind;
import cupbear.flysim.world.Fault.Occasion;
import java.util.List;
import java.util.Set;

/** Apps, their public addresses, regions, placements, and what a token may do. World's thread. */
final class Apps {
  private static final Set<String> IP_TYPES =
      Set.of("v4", "v6", "shared_v4", "private_v6", "egress_v4", "egress_v6", "egress_pair");
  private static final String APP_NAME = "[a-z0-9][a-z0-9-]{0,62}";
  private static final int ORG_LIMIT = 50;

  private final Platform platform;
  private final Lifecycle lifecycle;

  Apps(Platform platform, Lifecycle lifecycle) {
    this.platform = platform;
    this.lifecycle = lifecycle;
  }

  App add(String name, String org, String network) {
    App app = new App(name, platform.ids.hex(16), org, network, platform.now());
    platform.apps.put(name, app);
    return app;
  }

  Reply list(Request request) {
    String org = request.call().query("org_slug");
    if (!org.isEmpty() && !org.equals(request.token().org())) {
      throw Errors.forbidden("organization " + org);
    }
    ArrayNode apps = Json.array();
    platform.apps.values().stream()
        .filter(request.token()::allows)
        .forEach(app -> apps.add(app.toJson()));
    ObjectNode json = Json.object().put("total_apps", apps.size());
    json.set("apps", apps);
    return Reply.ok(json);
  }

  Reply create(Request request) {
    ObjectNode body = request.body();
    String name = Json.text(body, body.has("name") ? "name" : "app_name");
    String org = Json.text(body, "org_slug");
    if (!name.matches(APP_NAME)) {
      throw Errors.invalid("name must be lower-case letters, digits and dashes");
    }
    if (!request.token().allowsOrg(org.isEmpty() ? request.token().org() : org)) {
      throw Errors.forbidden("creating apps in organization " + org);
    }
    if (platform.apps.containsKey(name)) {
      throw Errors.appNameTaken(name);
    }
    String network = Json.text(body, "network");
    App app = add(name, request.token().org(), network.isEmpty() ? "default" : network);
    return Reply.of(
        201, Json.object().put("id", app.id).put("created_at", app.createdAt.toEpochMilli()));
  }

  Reply delete(Request request) {
    App app = request.app();
    List.copyOf(app.machines.values()).forEach(lifecycle::erase);
    platform.apps.remove(app.name);
    return Reply.empty(202);
  }

  Reply listIps(Request request) {
    ArrayNode ips = Json.array();
    request.app().ips.values().forEach(ips::add);
    ObjectNode json = Json.object();
    json.set("ips", ips.deepCopy());
    return Reply.ok(json);
  }

  Reply assignIp(Request request) {
    ObjectNode body = request.body();
    String type = Json.text(body, "type");
    if (!IP_TYPES.contains(type)) {
      throw Errors.invalid("type must be one of " + IP_TYPES);
    }
    String region = Json.text(body, "region");
    boolean v4 = type.contains("v4");
    String tail = platform.ids.hex(4);
    int last = Integer.parseInt(tail, 16);
    String ip =
        v4
            ? "198.51.100.%d".formatted(last % 254 + 1)
            : (type.equals("private_v6") ? "fdaa:9:d844:0:1::" : "2001:db8:1::") + tail;
    ObjectNode json =
        Json.object()
            .put("ip", ip)
            .put("region", region.isEmpty() ? "global" : region)
            .put("created_at", Json.seconds(platform.now()))
            .put("shared", type.equals("shared_v4"))
            .put("egress", type.startsWith("egress"))
            .put("service_name", Json.text(body, "service_name"));
    request.app().ips.put(ip, json);
    return Reply.ok(json.deepCopy());
  }

  Reply releaseIp(Request request) {
    if (request.app().ips.remove(request.call().part("ip")) == null) {
      throw Errors.notFound("ip assignment not found");
    }
    return Reply.empty(204);
  }

  Reply currentToken(Request request) {
    Token token = request.token();
    ObjectNode json = Json.object();
    json.putArray("tokens")
        .addObject()
        .put("token_id", Integer.toHexString(token.secret().hashCode()))
        .put("org_slug", token.org())
        .put("organization", token.org())
        .put("user", token.user())
        .put("source_machine_id", "")
        .put("restricted_to_machine", "")
        .set("apps", Json.array(token.apps().stream().sorted().toList()));
    return Reply.ok(json);
  }

  /** A hint at capacity: regions without room are left out. */
  Reply placements(Request request) {
    ObjectNode body = request.body();
    long count = Json.number(body, "count", 0);
    if (count < 0) {
      throw Errors.invalid("count must not be negative");
    }
    String org = Json.text(body, "org_slug");
    if (!org.isEmpty() && !org.equals(request.token().org())) {
      throw Errors.forbidden("organization " + org);
    }
    List<String> open =
        Regions.candidates(Json.text(body, "region"), platform.chance).stream()
            .filter(code ->
                platform
                    .faults
                    .strikes(
                        Kind.CAPACITY_REGION, new Occasion(Action.PLACEMENTS, "", "", "", code))
                    .isEmpty())
            .toList();
    ObjectNode json = Json.object();
    ArrayNode regions = json.putArray("regions");
    if (count == 0) {
      open.forEach(code -> regions.add(placement(code, ORG_LIMIT)));
    } else if (!open.isEmpty()) {
      regions.add(placement(open.getFirst(), count));
    }
    return Reply.ok(json);
  }

  private static ObjectNode placement(String region, long count) {
    return Json.object()
        .put("region", region)
        .put("count", count)
        .put("concurrency", Math.min(count, 3));
  }
}
