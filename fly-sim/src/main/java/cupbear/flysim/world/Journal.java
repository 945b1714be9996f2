// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.node.ObjectNode;
import cupbear.flysim.world.Event.Source;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How a change of a Machine becomes known: as an event, to those who wait for it, and, each after
 * its own lag, to lists and GET. World's thread.
 */
final class Journal {
  private final Platform platform;

  Journal(Platform platform) {
    this.platform = platform;
  }

  /** A new state and the event that says so. */
  void become(Machine machine, State state, String type, Source source) {
    machine.state = state;
    record(machine, type, state, source, Json.object());
    changed(machine);
  }

  /** An event alone; whoever also changes something calls {@link #changed} afterwards. */
  void record(Machine machine, String type, State status, Source source, ObjectNode request) {
    Instant now = platform.now();
    machine.events.addFirst(new Event(platform.ids.ulid(now), type, status, source, now, request));
    while (machine.events.size() > Machine.EVENTS_KEPT) {
      machine.events.removeLast();
    }
  }

  /** Others can see it from now on; whoever waits is asked again. */
  void changed(Machine machine) {
    machine.updatedAt = platform.now();
    seen(machine);
    for (Waiter waiter : List.copyOf(machine.waiters)) {
      answer(waiter, machine)
          .ifPresent(reply -> {
            machine.waiters.remove(waiter);
            waiter.end(reply);
          });
    }
  }

  private static Optional<Reply> answer(Waiter waiter, Machine machine) {
    try {
      return waiter.answer(machine);
    } catch (Refusal refusal) {
      return Optional.of(refusal.reply());
    }
  }

  /** Looks different, though nothing was done to it: a check has begun to pass. */
  void seen(Machine machine) {
    machine.history.add(
        platform.now(),
        platform.latencies.next(Step.LIST_LAG),
        platform.latencies.next(Step.GET_LAG),
        machine.toJson(platform.now()));
  }
}
