// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import cupbear.scheduler.port.StoreTrouble;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One scheduler's way to the store: latency, calls lost before or answers lost after they were
 * carried out, a store that stands still and works off later what its callers gave up on.
 */
final class StoreWire {
  private static final Duration DEADLINE = Duration.ofSeconds(2);

  /** Told of every step that the store has carried out, whether or not its answer arrives. */
  interface Witness {
    void executed(String by, String step, Object about, @Nullable Object result);
  }

  private final Agenda agenda;
  private final Dice dice;
  private final StoreWeather weather;
  private final SimProcess process;
  private final Witness witness;

  StoreWire(Agenda agenda, Dice dice, StoreWeather weather, SimProcess process, Witness witness) {
    this.agenda = agenda;
    this.dice = dice;
    this.weather = weather;
    this.process = process;
    this.witness = witness;
  }

  <T> Future<T> call(String name, Object about, Supplier<Future<T>> step) {
    Promise<T> promise = Promise.promise();
    if (weather.isDown()) {
      back(() -> promise.tryFail(new StoreTrouble(StoreTrouble.Kind.UNREACHABLE, name)));
      return promise.future();
    }
    Call<T> call = new Call<>(name, about, step, promise, agenda.nanos() + DEADLINE.toNanos());
    if (dice.chance(weather.lostBefore)) call.giveUp();
    else agenda.after(latency(), call::arrive);
    return promise.future();
  }

  /** One call on its way. */
  private final class Call<T> {
    private final String name;
    private final Object about;
    private final Supplier<Future<T>> step;
    private final Promise<T> promise;
    private final long deadline;

    private Call(
        String name, Object about, Supplier<Future<T>> step, Promise<T> promise, long deadline) {
      this.name = name;
      this.about = about;
      this.step = step;
      this.promise = promise;
      this.deadline = deadline;
    }

    private void arrive() {
      if (weather.isDown()) {
        giveUp();
      } else if (weather.pausedUntil > agenda.nanos()) {
        giveUp();
        agenda.at(weather.pausedUntil, this::arrive);
      } else {
        step.get().onSuccess(this::executed).onFailure(cause -> back(() -> promise.tryFail(cause)));
      }
    }

    private void executed(T result) {
      witness.executed(process.name(), name, about, result);
      if (dice.chance(weather.lostAfter)) giveUp();
      else back(() -> promise.tryComplete(result));
    }

    /** Nobody waits longer than the deadline, whatever becomes of the call. */
    private void giveUp() {
      agenda.at(
          deadline,
          () ->
              process.enter(
                  () -> promise.tryFail(new StoreTrouble(StoreTrouble.Kind.UNSURE, name))));
    }
  }

  /** Words published by the store; they may get lost. */
  <T> Consumer<T> hear(Consumer<T> listener) {
    return word -> {
      if (weather.isDown() || dice.chance(weather.lostWords) || !process.isAlive()) return;
      back(() -> listener.accept(word));
    };
  }

  private void back(Runnable answer) {
    agenda.after(latency(), () -> process.enter(answer));
  }

  private Duration latency() {
    return dice.between(Duration.ofNanos(200_000), Duration.ofMillis(2)).plus(weather.extraLatency);
  }
}
