// SPDX-License-Identifier: Apache-2.0
package cupbear.load.run;

import cupbear.flysim.viewer.Answered;
import cupbear.gateway.Grant;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * Lets users come when the schedule says, whatever became of those before them. It owns one thread
 * that keeps the time; users live on the event loops of their gateways.
 */
final class Generator {
  /**
   * Whoever was sent later than this was sent late: the machine that measures was too busy. Smaller
   * delays are in the figures, as every time is counted from the moment the user was meant to come.
   */
  static final Duration LATE = Duration.ofMillis(250);

  /** More users at once than this are turned away at the door, and counted as dropped. */
  private static final int AT_ONCE_MOST = 20_000;

  /**
   * What all users of a scenario share.
   *
   * @param looking whether they connect to the desktop, or hold the session only
   * @param witnesses what a Machine says it answered; empty when it cannot be asked
   * @param everybodyGoes completes when the scenario is over
   */
  record Surroundings(
      Vertx vertx,
      NetClient net,
      String pool,
      boolean looking,
      Function<String, Optional<Answered>> witnesses,
      Ledger ledger,
      Tally tally,
      Future<Void> everybodyGoes) {
    Optional<Answered> witness(Grant grant) {
      return witnesses.apply(grant.machine().id());
    }
  }

  private final Gateways gateways;
  private final Surroundings here;
  private final Promise<Void> over;
  private final Phaser users = new Phaser(1);

  /**
   * @param over the promise behind {@link Surroundings#everybodyGoes}
   */
  Generator(Gateways gateways, Surroundings here, Promise<Void> over) {
    this.gateways = gateways;
    this.here = here;
    this.over = over;
  }

  /** Returns when the last one has been sent. */
  void send(List<Arrival> schedule, long startedAt) throws InterruptedException {
    for (Arrival each : schedule) {
      long due = startedAt + each.at().toNanos();
      waitUntil(due);
      here.tally().arrived();
      if (users.getRegisteredParties() > AT_ONCE_MOST) {
        here.tally().dropped();
        continue;
      }
      users.register();
      Gateways.Gateway gateway = gateways.of(each.number());
      gateway.home().runOnContext(any -> begin(gateway, each, due));
    }
  }

  private static void waitUntil(long due) throws InterruptedException {
    long left = due - System.nanoTime();
    while (left > 0) {
      LockSupport.parkNanos(left);
      if (Thread.interrupted()) throw new InterruptedException();
      left = due - System.nanoTime();
    }
  }

  private void begin(Gateways.Gateway gateway, Arrival arrival, long due) {
    if (System.nanoTime() - due > LATE.toNanos()) here.tally().late();
    new Visit(here, gateway, arrival, due).start().onComplete(any -> users.arriveAndDeregister());
  }

  /** Tells everybody to go; false when somebody was still there after that time. */
  boolean end(Duration within) throws InterruptedException {
    over.tryComplete();
    int phase = users.arrive();
    try {
      users.awaitAdvanceInterruptibly(phase, within.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException somebodyStays) {
      return false;
    } finally {
      here.ledger().closed();
    }
    return true;
  }
}
