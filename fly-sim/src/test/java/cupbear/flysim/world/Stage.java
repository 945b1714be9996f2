// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import cupbear.flysim.NoViewers;
import cupbear.flysim.Viewers;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A world with virtual time and one app, "pool". Every latency is its usual figure unless a test
 * says otherwise, lists and GET do not lag, nothing happens by chance, nobody is rate-limited.
 */
final class Stage {
  static final String APP = "pool";
  static final String TOKEN = "fm2_all";
  static final String IMAGE = "registry.example/viewer:1";

  static final List<Token> TOKENS =
      List.of(
          Token.org(TOKEN, "acme"),
          Token.app("fm2_pool", "acme", APP),
          Token.org("fm2_other", "globex"),
          new Token("oauth-token", "acme", Set.of(), "person@example.com"));

  final VirtualTime time = new VirtualTime();
  final World world;

  Stage() {
    this(new NoViewers());
  }

  Stage(Viewers viewers) {
    this(viewers, 1, "");
  }

  Stage(Viewers viewers, double speed, String preset) {
    world =
        new World(
            new WorldSettings("acme", APP, TOKENS, speed, 7, Switches.standard(), preset),
            time,
            viewers);
    switches(
        """
        {"rate_limits":false,"stuck_created_rate":0,"cold_resume_rate":0,"cold_image_first":false}
        """);
    ObjectNode usual = (ObjectNode) control(Order.GET_LATENCIES, "").body();
    for (Step step : Step.values()) {
      ObjectNode figures = (ObjectNode) usual.get(step.name().toLowerCase(Locale.ROOT));
      figures.put("p95_ms", figures.get("p50_ms").asLong());
    }
    usual.putObject("list_lag").put("p50_ms", 0).put("p95_ms", 0);
    latencies(usual.toString());
  }

  // --- calls ---

  /** Sends a call as {@code METHOD path?query}, with the body, and does not wait. */
  Future<Reply> send(Action action, String target, String body, String nonce, String token) {
    Map<String, List<String>> query = new LinkedHashMap<>();
    Map<String, String> path = new LinkedHashMap<>();
    String[] halves = target.split("\\?", 2);
    for (String pair : halves[0].split(";")) {
      String[] parts = pair.split("=", 2);
      if (parts.length == 2) {
        path.put(parts[0], parts[1]);
      }
    }
    for (String pair : halves.length == 2 ? halves[1].split("&") : new String[0]) {
      String[] parts = pair.split("=", 2);
      query.computeIfAbsent(parts[0], n -> new ArrayList<>()).add(parts[1]);
    }
    path.putIfAbsent("app", APP);
    return world.call(new Call(action, path, query, token, nonce, body));
  }

  /** Lets time pass until the answer is there. */
  Reply await(Future<Reply> answer) {
    while (!answer.isComplete()) {
      if (!time.next()) {
        throw new AssertionError("never answered");
      }
    }
    if (answer.failed()) {
      throw new AssertionError(answer.cause());
    }
    return answer.result();
  }

  Reply call(Action action, String target, String body) {
    return await(send(action, target, body, "", "Bearer " + TOKEN));
  }

  Reply call(Action action, String target) {
    return call(action, target, "");
  }

  Reply on(String machine, Action action) {
    return call(action, "machine=" + machine);
  }

  Reply on(String machine, Action action, String body) {
    return call(action, "machine=" + machine, body);
  }

  Future<Reply> sendTo(String machine, Action action, String query, String body) {
    return send(action, "machine=" + machine + query, body, "", "Bearer " + TOKEN);
  }

  Reply withNonce(String nonce, String machine, Action action, String body) {
    return await(send(action, "machine=" + machine, body, nonce, "Bearer " + TOKEN));
  }

  // --- Machines ---

  static String config(String more) {
    return "{\"config\":{\"image\":\"%s\"%s}}".formatted(IMAGE, more.isEmpty() ? "" : "," + more);
  }

  Reply create(String body) {
    return call(Action.CREATE, "", body);
  }

  /** A Machine that is started and ready. */
  String started(String configMore) {
    Reply reply = create(config(configMore));
    if (reply.status() != 200) {
      throw new AssertionError(reply.toString());
    }
    String id = reply.body().get("id").asText();
    pass(10);
    if (!state(id).equals("started")) {
      throw new AssertionError(state(id));
    }
    return id;
  }

  String started() {
    return started("");
  }

  /** A Machine that is stopped and may be started. */
  String stopped() {
    String id = started();
    on(id, Action.STOP);
    pass(10);
    return id;
  }

  String suspended() {
    String id = started();
    on(id, Action.SUSPEND);
    pass(10);
    return id;
  }

  void pass(long seconds) {
    time.pass(Duration.ofSeconds(seconds));
  }

  /** As it is, without any lag. */
  JsonNode truth(String id) {
    return control(Order.DUMP_ONE, id).body();
  }

  String state(String id) {
    return truth(id).path("state").asText();
  }

  /** Type, status and source of the events, newest first. */
  List<String> events(String id) {
    List<String> events = new ArrayList<>();
    for (JsonNode event : on(id, Action.EVENTS).body()) {
      events.add(
          "%s/%s/%s"
              .formatted(
                  event.path("type").asText(),
                  event.path("status").asText(),
                  event.path("source").asText()));
    }
    return events;
  }

  // --- control ---

  Reply control(Order order, String machine) {
    return control(order, machine, "");
  }

  Reply control(Order order, String machine, String body) {
    return world.control(order, Map.of("machine", machine, "id", machine), machine, body);
  }

  String fault(String json) {
    Reply reply = control(Order.ADD_FAULT, "", json);
    if (reply.status() != 201) {
      throw new AssertionError(reply.toString());
    }
    return reply.body().get("id").asText();
  }

  void switches(String json) {
    Reply reply = control(Order.SET_SWITCHES, "", json);
    if (reply.status() != 200) {
      throw new AssertionError(reply.toString());
    }
  }

  void latencies(String json) {
    Reply reply = control(Order.SET_LATENCIES, "", json);
    if (reply.status() != 200) {
      throw new AssertionError(reply.toString());
    }
  }

  static String error(Reply reply) {
    return reply.body().path("error").asText();
  }
}
