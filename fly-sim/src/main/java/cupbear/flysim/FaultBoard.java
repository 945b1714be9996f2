// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim;

import cupbear.flysim.Viewers.Mode;
import cupbear.flysim.world.Order;
import cupbear.flysim.world.Reply;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The control API for those in the same process; the fields are those of {@code /sim}. A refused
 * order fails its future with the simulator's own words. Any thread.
 */
public final class FaultBoard {
  private final FlySim sim;

  FaultBoard(FlySim sim) {
    this.sim = sim;
  }

  /**
   * Sets a fault, for example {@code {"kind":"capacity.region","region":"iad"}}.
   *
   * @return the id by which it is cleared
   */
  public Future<String> set(JsonObject fault) {
    return order(Order.ADD_FAULT, Map.of(), fault).map(reply -> reply.body().path("id").asText());
  }

  public Future<Void> clear(String id) {
    return order(Order.CLEAR_FAULT, Map.of("id", id), new JsonObject()).mapEmpty();
  }

  public Future<Void> clearAll() {
    return order(Order.CLEAR_FAULTS, Map.of(), new JsonObject()).mapEmpty();
  }

  /** The process inside ends with this exit code. */
  public Future<Void> crash(String machine, int exitCode, boolean oomKilled) {
    return toMachine(
        Order.CRASH, machine, new JsonObject().put("exit_code", exitCode).put("oom", oomKilled));
  }

  public Future<Void> hostDown(String machine) {
    return toMachine(Order.HOST_DOWN, machine, new JsonObject());
  }

  public Future<Void> hostUp(String machine) {
    return toMachine(Order.HOST_UP, machine, new JsonObject());
  }

  public Future<Void> migrate(String machine) {
    return toMachine(Order.MIGRATE, machine, new JsonObject());
  }

  public Future<Void> viewer(String machine, Mode mode) {
    return toMachine(
        Order.VIEWER, machine, new JsonObject().put("mode", mode.name().toLowerCase(Locale.ROOT)));
  }

  public Future<Void> holdLease(String machine, String owner, Duration ttl) {
    return toMachine(
        Order.HOLD_LEASE,
        machine,
        new JsonObject().put("owner", owner).put("ttl", ttl.toSeconds()));
  }

  public Future<Void> switches(JsonObject changes) {
    return order(Order.SET_SWITCHES, Map.of(), changes).mapEmpty();
  }

  public Future<Void> latencies(JsonObject changes) {
    return order(Order.SET_LATENCIES, Map.of(), changes).mapEmpty();
  }

  public Future<Void> reset() {
    return order(Order.RESET, Map.of(), new JsonObject()).mapEmpty();
  }

  /** Time, counts of calls and of Machines by state, and everything that is set. */
  public Future<JsonObject> info() {
    return order(Order.INFO, Map.of(), new JsonObject())
        .map(reply -> new JsonObject(reply.body().toString()));
  }

  /** All Machines as they really are, without lag, also those that are gone. */
  public Future<List<JsonObject>> machines() {
    return order(Order.DUMP, Map.of(), new JsonObject())
        .map(reply ->
            new JsonArray(reply.body().toString()).stream().map(JsonObject.class::cast).toList());
  }

  private Future<Void> toMachine(Order order, String machine, JsonObject body) {
    return order(order, Map.of("machine", machine), body).mapEmpty();
  }

  private Future<Reply> order(Order order, Map<String, String> path, JsonObject body) {
    return sim.control(order, path, body.encode())
        .compose(reply ->
            reply.status() < 400
                ? Future.succeededFuture(reply)
                : Future.failedFuture(
                    new IllegalArgumentException(reply.body().path("error").asText())));
  }
}
