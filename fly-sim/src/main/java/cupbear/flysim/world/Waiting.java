// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The long poll on a Machine's state. In real time at any speed. World's thread. */
final class Waiting {
  private static final Set<String> STATES =
      Set.of("started", "stopped", "suspended", "destroyed", "failed", Waiter.SETTLED);
  private static final int LONGEST_S = 60;

  private final Platform platform;

  Waiting(Platform platform) {
    this.platform = platform;
  }

  Future<Reply> await(Request request) {
    Machine machine = request.machine();
    Waiter waiter = waiter(request.call());
    Duration timeout = timeout(request.call().query("timeout"));
    Optional<Reply> now = waiter.answer(machine);
    if (now.isPresent()) {
      return Future.succeededFuture(now.get());
    }
    machine.waiters.add(waiter);
    waiter.deadline =
        platform.timers.after(
            timeout,
            () -> {
              machine.waiters.remove(waiter);
              waiter.end(Errors.waitTimedOut(waiter.wanted(), machine.state).reply());
            });
    return waiter.promise.future();
  }

  private static Waiter waiter(Call call) {
    List<String> states = call.queryList("state");
    for (String state : states) {
      if (!STATES.contains(state)) {
        throw Errors.invalid("state must be among " + STATES + ", not " + state);
      }
    }
    String version = call.query("version");
    return new Waiter(
        states.isEmpty() ? List.of("started") : states,
        version.isEmpty() ? call.query("instance_id") : version,
        call.query("from_event_id"));
  }

  private static Duration timeout(String seconds) {
    if (seconds.isEmpty()) {
      return Duration.ofSeconds(LONGEST_S);
    }
    boolean whole = seconds.matches("\\d{1,4}");
    if (!whole || Integer.parseInt(seconds) < 1 || Integer.parseInt(seconds) > LONGEST_S) {
      throw Errors.invalid("timeout must be 1 to " + LONGEST_S + " seconds");
    }
    return Duration.ofSeconds(Integer.parseInt(seconds));
  }
}
