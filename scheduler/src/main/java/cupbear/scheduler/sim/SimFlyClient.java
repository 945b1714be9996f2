// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import cupbear.scheduler.core.Bucket;
import cupbear.scheduler.model.Listed;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Order;
import cupbear.scheduler.port.FlyTrouble;
import cupbear.scheduler.port.Machines;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One scheduler's way to Fly: paced to the published rates before anything leaves, with latency,
 * refusals, and answers that get lost on the way back.
 */
final class SimFlyClient implements Machines {
  private static final int BURST = 3;
  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final int LOOK_BURST = 10;
  private static final Duration LOOK_EVERY = Duration.ofMillis(200);
  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final Duration LONG_POLL = Duration.ofSeconds(55);
  private static final String APP = "app";

  /** Told of everything that is sent. */
  interface Meter {
    void sent(String by, String action, String identifier);

    void refused(String by, String action, FlyTrouble.Kind kind);

    /** An order that changes something is given to the client. */
    void begins(String by, String action, String target);

    /** The scheduler has its answer. */
    void ends(String by, String action, String target);
  }

  private final Agenda agenda;
  private final Dice dice;
  private final SimFly fly;
  private final SimProcess process;
  private final FlyLimits limits;
  private final Meter meter;
  private final Map<String, Lane> lanes = new HashMap<>();

  SimFlyClient(
      Agenda agenda, Dice dice, SimFly fly, SimProcess process, FlyLimits limits, Meter meter) {
    this.agenda = agenda;
    this.dice = dice;
    this.fly = fly;
    this.process = process;
    this.limits = limits;
    this.meter = meter;
  }

  @Override
  public Future<AppList> list() {
    Instant asked = process.time().now();
    return send("list", APP, () -> new AppList(asked, fly.list()));
  }

  @Override
  public Future<Optional<Listed>> look(MachineId machine) {
    return send("look", machine.value(), () -> fly.look(machine));
  }

  @Override
  public Future<Listed> create(Order order) {
    return order(
        "create", order.name(), send("create", APP, () -> fly.create(order, process.name())));
  }

  @Override
  public Future<Void> start(MachineId machine) {
    return order(
        "start",
        machine.value(),
        send("start", machine.value(), () -> done(() -> fly.start(machine, process.name()))));
  }

  @Override
  public Future<Void> stop(MachineId machine) {
    return order(
        "stop",
        machine.value(),
        send("stop", machine.value(), () -> done(() -> fly.stop(machine, process.name()))));
  }

  @Override
  public Future<Void> destroy(MachineId machine) {
    return order(
        "destroy",
        machine.value(),
        send("destroy", machine.value(), () -> done(() -> fly.destroy(machine, process.name()))));
  }

  @Override
  public Future<Void> retag(MachineId machine, Map<String, String> tags) {
    return send(
        "retag", machine.value(), () -> done(() -> fly.retag(machine, tags, process.name())));
  }

  @Override
  public Future<Ran> exec(MachineId machine, Command command) {
    return send(
        "exec",
        machine.value(),
        () -> new Ran(fly.exec(machine, process.name()), "simulated failure"));
  }

  @Override
  public Future<Optional<Listed>> awaitDown(MachineId machine) {
    Promise<Optional<Listed>> promise = Promise.promise();
    send("wait", machine.value(), () -> machine)
        .onComplete(accepted -> {
          if (accepted.failed()) {
            promise.tryFail(accepted.cause());
            return;
          }
          fly.awaitDown(machine, () -> deliver(() -> promise.tryComplete(fly.look(machine))));
          agenda.after(LONG_POLL, () -> deliver(() -> promise.tryComplete(Optional.empty())));
        });
    return promise.future();
  }

  private <T> Future<T> order(String action, String target, Future<T> call) {
    meter.begins(process.name(), action, target);
    return call.onComplete(any -> meter.ends(process.name(), action, target));
  }

  /** A call that has no answer but "accepted". */
  @SuppressWarnings("NullAway") // Void has no other value.
  private static Void done(Runnable call) {
    call.run();
    return null;
  }

  private <T> Future<T> send(String action, String identifier, Supplier<T> atFly) {
    Promise<T> promise = Promise.promise();
    boolean look = action.equals("look");
    Lane lane =
        lanes.computeIfAbsent(
            action + " " + identifier,
            any -> new Lane(look ? LOOK_BURST : BURST, look ? LOOK_EVERY : EVERY));
    lane.add(new Call<>(action, identifier, atFly, promise, agenda.nanos() + DEADLINE.toNanos()));
    return promise.future();
  }

  private void deliver(Runnable answer) {
    agenda.after(latency(), () -> process.enter(answer));
  }

  private Duration latency() {
    return dice.millis(15, 120).plus(fly.weather.extraLatency);
  }

  /** One call on its way. */
  private final class Call<T> {
    private final String action;
    private final String identifier;
    private final Supplier<T> atFly;
    private final Promise<T> promise;
    private final long deadline;

    private Call(
        String action, String identifier, Supplier<T> atFly, Promise<T> promise, long deadline) {
      this.action = action;
      this.identifier = identifier;
      this.atFly = atFly;
      this.promise = promise;
      this.deadline = deadline;
    }

    private void leave() {
      meter.sent(process.name(), action, identifier);
      agenda.after(latency(), this::arrive);
    }

    private void arrive() {
      FlyWeather weather = fly.weather;
      if (weather.down || dice.chance(weather.errorShare)) {
        refuse(FlyTrouble.Kind.UNAVAILABLE, "503");
      } else if (dice.chance(weather.limitedShare) || !limits.take(action, identifier)) {
        refuse(FlyTrouble.Kind.LIMITED, "429");
      } else {
        execute();
      }
    }

    private void execute() {
      try {
        T value = atFly.get();
        if (dice.chance(fly.weather.lostAnswerShare)) lose();
        else deliver(() -> promise.tryComplete(value));
      } catch (FlyTrouble trouble) {
        refuse(trouble.kind(), String.valueOf(trouble.getMessage()));
      }
    }

    /** Done, and nobody hears of it. */
    private void lose() {
      long left = Math.max(0, deadline - agenda.nanos());
      agenda.after(Duration.ofNanos(left), () -> refuse(FlyTrouble.Kind.UNSURE, "timed out"));
    }

    private void refuse(FlyTrouble.Kind kind, String detail) {
      meter.refused(process.name(), action, kind);
      deliver(() -> promise.tryFail(new FlyTrouble(kind, action + ": " + detail)));
    }
  }

  /** Calls of one action on one Machine (or the app): first come, first sent, at Fly's pace. */
  private final class Lane {
    private final Deque<Call<?>> waiting = new ArrayDeque<>();
    private Bucket bucket;
    private boolean armed;

    private Lane(int burst, Duration every) {
      bucket = Bucket.full(burst, every, agenda.now());
    }

    private void add(Call<?> call) {
      waiting.add(call);
      drain();
    }

    private void drain() {
      while (!waiting.isEmpty()) {
        Call<?> call = waiting.peek();
        if (agenda.nanos() > call.deadline) {
          waiting.poll();
          call.refuse(FlyTrouble.Kind.LIMITED, "gave up waiting for its turn");
          continue;
        }
        Optional<Bucket> taken = bucket.take(1, agenda.now());
        if (taken.isEmpty()) {
          arm(bucket.until(1, agenda.now()));
          return;
        }
        bucket = taken.get();
        waiting.poll();
        call.leave();
      }
    }

    private void arm(Duration wait) {
      if (armed) return;
      armed = true;
      process
          .time()
          .after(
              wait,
              () -> {
                armed = false;
                drain();
              });
    }
  }
}
