// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.port.Machines;
import cupbear.scheduler.port.Machines.AppList;
import cupbear.scheduler.port.Time;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One list call for all loops of an app that want one at about the same time: Fly limits calls per
 * app, and every regional loop wants the same list every tick. Any thread.
 */
public final class Lister {
  /** Loops that come back at once still make no more than one call in this time. */
  static final Duration SHARED_FOR = Duration.ofSeconds(1);

  private final Machines machines;
  private final Time time;
  private final SteadyTime clock;
  private final Duration sharedFor;
  private @Nullable Future<AppList> newest;
  private long askedAtNanos;

  Lister(Machines machines, Time time, SteadyTime clock, Duration sharedFor) {
    this.machines = machines;
    this.time = time;
    this.clock = clock;
    this.sharedFor = sharedFor;
  }

  /** The newest list, if it is young enough or still under way; a new one otherwise. */
  public synchronized Future<AppList> list() {
    Future<AppList> shared = newest;
    boolean young = time.nanos() - askedAtNanos < sharedFor.toNanos();
    if (shared != null && (!shared.isComplete() || (young && shared.succeeded()))) return shared;
    askedAtNanos = time.nanos();
    // Stamped by the clock that the loops go by: a jump of the wall clock must not age a list.
    Instant askedAt = clock.now();
    Future<AppList> asked = machines.list().map(list -> new AppList(askedAt, list.machines()));
    newest = asked;
    return asked;
  }
}
