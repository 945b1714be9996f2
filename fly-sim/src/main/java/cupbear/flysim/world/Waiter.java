// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import cupbear.flysim.world.Timers.Timer;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One outstanding {@code wait} on a Machine.
 *
 * <p>Without an event to start from, being in a wanted state is enough. With one, only what came
 * after it counts, even if the Machine has moved on since: that is what removes the race with a
 * state it was already in. World's thread.
 */
final class Waiter {
  static final String SETTLED = "settled";

  private final List<String> wanted;
  private final String version;
  private final String fromEvent;
  final Promise<Reply> promise = Promise.promise();
  @Nullable Timer deadline;

  Waiter(List<String> wanted, String version, String fromEvent) {
    this.wanted = List.copyOf(wanted);
    this.version = version;
    this.fromEvent = fromEvent;
  }

  String wanted() {
    return String.join(",", wanted);
  }

  /** The answer as things are now; empty to wait on. */
  Optional<Reply> answer(Machine machine) {
    if (!version.isEmpty() && !version.equals(machine.instanceId())) {
      boolean known = machine.versions.stream().anyMatch(v -> v.instanceId().equals(version));
      throw known
          ? Errors.waitImpossible(wanted(), "replaced")
          : Errors.notFound("machine version " + version + " not found");
    }
    Optional<Event> reached = reached(machine);
    if (reached.isEmpty() && machine.state.isGone() && !wants(State.DESTROYED)) {
      throw Errors.waitImpossible(wanted(), machine.state.wireName());
    }
    return reached.map(event ->
        Reply.ok(
            Json.object()
                .put("ok", true)
                .put("state", event.status().wireName())
                .put("event_id", event.id())
                .put("version", machine.instanceId())));
  }

  private Optional<Event> reached(Machine machine) {
    if (fromEvent.isEmpty()) {
      return wants(machine.state)
          ? machine.events.stream().findFirst().map(e -> as(e, machine.state))
          : Optional.empty();
    }
    return machine.events.stream()
        .filter(event -> event.id().compareTo(fromEvent) > 0 && wants(event.status()))
        .findFirst();
  }

  private static Event as(Event event, State state) {
    return new Event(event.id(), event.type(), state, event.source(), event.at(), event.request());
  }

  private boolean wants(State state) {
    return wanted.contains(state.wireName()) || (wanted.contains(SETTLED) && state.isSettled());
  }

  void end(Reply reply) {
    if (deadline != null) {
      deadline.cancel();
    }
    promise.tryComplete(reply);
  }
}
