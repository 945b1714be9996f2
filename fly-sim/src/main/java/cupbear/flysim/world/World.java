// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import cupbear.flysim.Viewers;
import cupbear.flysim.world.Fault.Kind;
import cupbear.flysim.world.Fault.Occasion;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The whole simulated platform. A call comes in, is let through or refused (token, rate limit,
 * faults), takes its time, acts, and is answered; in between, timers move Machines along.
 *
 * <p>Single-threaded: every method is called on the thread that the {@link Timers} run steps on.
 * Deterministic: same settings, same calls at the same times, same answers. Nothing survives the
 * process.
 */
public final class World {
  private final WorldSettings settings;
  private final Platform platform;
  private final Tokens tokens;
  private final RateLimits limits = new RateLimits();
  private final Map<Action, Long> counts = new EnumMap<>(Action.class);
  private final Lifecycle lifecycle;
  private final Leases leases;
  private final Metadata metadata;
  private final Waiting waiting;
  private final Births births;
  private final Moves moves;
  private final Inside inside;
  private final Lists lists;
  private final Apps apps;
  private final Control control;

  public World(WorldSettings settings, Timers timers, Viewers viewers) {
    this.settings = settings;
    this.platform =
        new Platform(timers, viewers, settings.speed(), settings.seed(), settings.switches());
    this.tokens = new Tokens(settings.tokens());
    Journal journal = new Journal(platform);
    this.lifecycle = new Lifecycle(platform, journal);
    this.leases = new Leases(platform);
    this.metadata = new Metadata(platform, journal);
    this.waiting = new Waiting(platform);
    this.births = new Births(platform, lifecycle, leases);
    this.moves = new Moves(platform, lifecycle, leases, journal);
    this.inside = new Inside(platform, lifecycle, leases);
    this.lists = new Lists(platform);
    this.apps = new Apps(platform, lifecycle);
    this.control = new Control(platform, lifecycle, leases, journal);
    begin();
  }

  private void begin() {
    platform.switches = settings.switches();
    if (!settings.app().isEmpty()) {
      apps.add(settings.app(), settings.org(), "default");
    }
    try {
      preset(Json.objectFrom(settings.preset()));
    } catch (Refusal refusal) {
      throw new IllegalArgumentException(
          "the faults file is wrong: " + refusal.reply().body().path("error").asText());
    }
  }

  private void preset(ObjectNode preset) {
    for (Map.Entry<String, JsonNode> part : preset.properties()) {
      switch (part.getKey()) {
        case "faults" ->
            part.getValue().forEach(fault -> platform.faults.add(object(part.getKey(), fault)));
        case "switches" ->
            platform.switches = platform.switches.with(object(part.getKey(), part.getValue()));
        case "latencies" -> platform.latencies.patch(object(part.getKey(), part.getValue()));
        default ->
            throw Errors.invalid(
                "'%s' is unknown; there are faults, switches and latencies"
                    .formatted(part.getKey()));
      }
    }
  }

  private static ObjectNode object(String name, JsonNode node) {
    if (node instanceof ObjectNode object) {
      return object;
    }
    throw Errors.invalid(name + " must hold JSON objects");
  }

  // --- the API ---

  /** Answers one call of the API; the future completes on the world's thread. */
  public Future<Reply> call(Call call) {
    counts.merge(call.action(), 1L, Long::sum);
    try {
      return admitted(call);
    } catch (Refusal refusal) {
      return Future.succeededFuture(refusal.reply());
    }
  }

  private Future<Reply> admitted(Call call) {
    Occasion occasion = occasion(call);
    Token token = tokens.find(call.authorization()).orElseThrow(Errors::unauthorized);
    if (strikes(Kind.UNAUTHORIZED, occasion).isPresent()) {
      throw Errors.unauthorized();
    }
    limit(call, token, occasion);
    Optional<Fault> reset = strikes(Kind.CONNECTION_RESET, occasion);
    Optional<Fault> broken = strikes(Kind.SERVER_ERROR, occasion);
    boolean late = isAfter(reset) || isAfter(broken);
    Duration whole = platform.latencies.next(call.action().step()).plus(slowness(occasion));
    Duration before = whole.dividedBy(2);
    Optional<Reply> instead =
        reset.map(fault -> Reply.hangUp()).or(() -> broken.map(World::serverError));
    return later(before)
        .compose(
            arrived -> instead.isPresent() && !late ? Future.succeededFuture() : act(call, token))
        .compose(reply -> later(whole.minus(before)).map(reply))
        .map(reply -> instead.orElse(reply));
  }

  private static boolean isAfter(Optional<Fault> fault) {
    return fault.isPresent() && fault.get().details().path("after").asBoolean(false);
  }

  private static Reply serverError(Fault fault) {
    int status = fault.details().path("status").asInt(503);
    String text = status == 504 ? "upstream request timeout" : "unavailable: try again";
    return fault.details().path("plain_text").asBoolean(false)
        ? Reply.text(status, text)
        : Errors.of(status, text).reply();
  }

  private void limit(Call call, Token token, Occasion occasion) {
    String of =
        switch (call.action().limit()) {
          case TOKEN -> token.secret();
          case ORG -> call.part("org");
          case APP, APP_DELETE -> call.part("app");
          case MACHINE, GET_MACHINE -> call.part("app") + "/" + call.part("machine");
        };
    Switches switches = platform.switches;
    if (strikes(Kind.RATE_LIMIT, occasion).isPresent()
        || (switches.rateLimits()
            && !limits.allows(call.action(), of, switches.rateLimitFactor(), platform.now()))) {
      throw Errors.rateLimited();
    }
  }

  private Duration slowness(Occasion occasion) {
    return strikes(Kind.SLOW, occasion)
        .map(fault -> Duration.ofMillis(fault.details().path("ms").asLong(5_000)))
        .orElse(Duration.ZERO);
  }

  private Occasion occasion(Call call) {
    return platform
        .machine(call.part("machine"))
        .map(machine -> Occasion.of(call.action(), machine))
        .orElseGet(
            () -> new Occasion(call.action(), call.part("app"), call.part("machine"), "", ""));
  }

  private Optional<Fault> strikes(Kind kind, Occasion occasion) {
    return platform.faults.strikes(kind, occasion);
  }

  private Future<Reply> act(Call call, Token token) {
    try {
      Request request = found(call, token);
      if (call.action().needsHost() && request.machine().isHostDown()) {
        return hostSilent(request.machine());
      }
      return handled(request).map(reply -> disguised(request, reply));
    } catch (Refusal refusal) {
      return Future.succeededFuture(refusal.reply());
    }
  }

  private Request found(Call call, Token token) {
    if (call.action() == Action.LIST_ORG && !token.allowsOrg(call.part("org"))) {
      throw Errors.forbidden("organization " + call.part("org"));
    }
    App app = null;
    Machine machine = null;
    if (call.action().isOnApp()) {
      app =
          Optional.ofNullable(platform.apps.get(call.part("app"))).orElseThrow(Errors::appNotFound);
      if (!token.allows(app)) {
        throw Errors.forbidden("app " + app.name);
      }
      if (call.action().isOnMachine()) {
        machine =
            Optional.ofNullable(app.machines.get(call.part("machine")))
                .orElseThrow(Errors::machineNotFound);
      }
    }
    return new Request(call, token, app, machine);
  }

  private Future<Reply> hostSilent(Machine machine) {
    Instant since = machine.hostDownSince == null ? platform.now() : machine.hostDownSince;
    Reply reply = Errors.hostSilent(machine, since).reply();
    return later(platform.latencies.next(Step.HOST_SILENT)).map(reply);
  }

  /** A create that worked may look as if it had not. */
  private Reply disguised(Request request, Reply reply) {
    if (request.call().action() != Action.CREATE || reply.status() != 200) {
      return reply;
    }
    Occasion occasion =
        new Occasion(
            Action.CREATE,
            request.app().name,
            reply.body().path("id").asText(),
            reply.body().path("name").asText(),
            reply.body().path("region").asText());
    return strikes(Kind.AMBIGUOUS_CREATE, occasion)
        .map(fault ->
            switch (fault.details().path("answer").asText("408")) {
              case "reset" -> Reply.hangUp();
              case "504" -> Reply.text(504, "upstream request timeout");
              default ->
                  Errors.deadline("timed out waiting for the host to create the machine").reply();
            })
        .orElse(reply);
  }

  private Future<Reply> handled(Request request) {
    return switch (request.call().action()) {
      case EXEC -> inside.exec(request);
      case WAIT -> waiting.await(request);
      case STOP -> moves.stop(request);
      case DELETE -> moves.delete(request);
      default -> Future.succeededFuture(atOnce(request));
    };
  }

  private Reply atOnce(Request request) {
    return switch (request.call().action()) {
      case EXEC, WAIT, STOP, DELETE -> throw new IllegalStateException("these take their time");
      case LIST_APPS -> apps.list(request);
      case CREATE_APP -> apps.create(request);
      case GET_APP -> Reply.ok(request.app().toJson());
      case DELETE_APP -> apps.delete(request);
      case LIST -> lists.app(request);
      case CREATE -> births.create(request);
      case GET -> births.get(request);
      case UPDATE -> births.update(request);
      case START -> moves.start(request);
      case SUSPEND -> moves.suspend(request);
      case RESTART -> moves.restart(request);
      case CORDON -> moves.cordon(request, true);
      case UNCORDON -> moves.cordon(request, false);
      case SIGNAL -> inside.signal(request);
      case EVENTS -> inside.events(request);
      case VERSIONS -> inside.versions(request);
      case PS -> inside.ps(request);
      case GET_LEASE -> leases.get(request);
      case ACQUIRE_LEASE -> leases.acquire(request);
      case RELEASE_LEASE -> leases.release(request);
      case GET_METADATA -> metadata.get(request);
      case PATCH_METADATA, PUT_METADATA -> metadata.merge(request);
      case GET_METADATA_KEY -> metadata.getKey(request);
      case SET_METADATA_KEY -> metadata.setKey(request);
      case DELETE_METADATA_KEY -> metadata.deleteKey(request);
      case LIST_VOLUMES -> Reply.ok(Json.array());
      case LIST_IPS -> apps.listIps(request);
      case ASSIGN_IP -> apps.assignIp(request);
      case RELEASE_IP -> apps.releaseIp(request);
      case LIST_ORG -> lists.org(request);
      case REGIONS ->
          Reply.ok(Regions.toJson(platform.switches.regionKeys() == Switches.KeyCase.CAPITAL));
      case PLACEMENTS -> apps.placements(request);
      case CURRENT_TOKEN -> apps.currentToken(request);
    };
  }

  private Future<Void> later(Duration delay) {
    if (!delay.isPositive()) {
      return Future.succeededFuture();
    }
    Promise<Void> promise = Promise.promise();
    platform.timers.after(delay, promise::complete);
    return promise.future();
  }

  // --- the control API ---

  /**
   * Answers one call of the control API, at once.
   *
   * @param name the {@code name} query parameter, for DNS
   */
  public Reply control(Order order, Map<String, String> path, String name, String body) {
    try {
      return switch (order) {
        case INFO -> Reply.ok(info());
        case RESET -> reset();
        default -> control.obey(order, path, name, body);
      };
    } catch (Refusal refusal) {
      return refusal.reply();
    }
  }

  private ObjectNode info() {
    ObjectNode json =
        Json.object()
            .put("now", platform.now().toString())
            .put("speed", settings.speed())
            .put("seed", settings.seed())
            .put("org", settings.org());
    json.set("apps", Json.array(platform.apps.keySet()));
    ObjectNode states = json.putObject("machines");
    platform.apps.values().stream()
        .flatMap(app -> app.machines.values().stream())
        .forEach(machine -> {
          String state = machine.state.wireName();
          states.put(state, states.path(state).asInt(0) + 1);
        });
    ObjectNode calls = json.putObject("calls");
    counts.forEach((action, count) -> calls.put(action.name().toLowerCase(Locale.ROOT), count));
    json.set("faults", platform.faults.toJson());
    json.set("switches", platform.switches.toJson());
    json.set("latencies", platform.latencies.toJson());
    return json;
  }

  /** Back to the beginning: no Machines, the first app, the faults the simulator started with. */
  private Reply reset() {
    for (App app : List.copyOf(platform.apps.values())) {
      List.copyOf(app.machines.values()).forEach(lifecycle::erase);
    }
    platform.apps.clear();
    platform.faults.clear();
    platform.latencies.reset();
    limits.clear();
    counts.clear();
    lifecycle.forgetImages();
    begin();
    return Reply.empty(204);
  }
}
