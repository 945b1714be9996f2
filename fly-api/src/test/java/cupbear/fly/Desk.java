// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.fly.model.Secret;
import io.vertx.core.Future;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** A client on a scripted wire and manual time: everything happens on the test's thread. */
final class Desk {

  static final String TOKEN = "fm2_canarySecretToken0123456789";

  /** Three million requests a second: pace is another test's concern. */
  static final FlyConfig.Pacing NO_PACE =
      FlyConfig.Pacing.USUAL
          .usual(new Rate(3_000_000, 1000))
          .rate(Action.GET_MACHINE, new Rate(3_000_000, 1000));

  final ManualTime time = new ManualTime();
  final ScriptedWire wire = new ScriptedWire();
  final Engine engine;
  final FlyClient fly;
  final FlyApp app;
  final FlyMachine machine;

  Desk() {
    this(config -> config);
  }

  Desk(UnaryOperator<FlyConfig> change) {
    this(() -> Secret.of(TOKEN), change);
  }

  Desk(Supplier<Secret> token, UnaryOperator<FlyConfig> change) {
    FlyConfig config =
        FlyConfig.of(URI.create("http://fly.test"), token).pacing(NO_PACE).dice(() -> 0.5);
    Engine.OffLoop direct =
        new Engine.OffLoop() {
          @Override
          public <T> Future<T> run(Callable<T> work) {
            try {
              return Future.succeededFuture(work.call());
            } catch (Exception e) {
              return Future.failedFuture(e);
            }
          }
        };
    this.engine = new Engine(wire, change.apply(config), time, Runnable::run, direct);
    this.fly = FlyClient.over(engine);
    this.app = fly.app("viewers");
    this.machine = app.machine("3d8d413b29d089");
  }

  /** Lets time jump from timer to timer until the call is over; ends every hang. */
  <T> Future<T> toTheEnd(Future<T> call) {
    while (!call.isComplete() && time.jump()) {
      // The jump is the work.
    }
    assertThat(call.isComplete()).as("over once no timer is left").isTrue();
    return call;
  }

  <T> T value(Future<T> call) {
    toTheEnd(call);
    if (call.failed()) {
      throw new AssertionError(call.cause().getMessage());
    }
    return call.result();
  }

  FlyFailure failure(Future<?> call) {
    toTheEnd(call);
    assertThat(call.failed()).as("a failure").isTrue();
    assertThat(call.cause()).isInstanceOf(FlyException.class);
    return ((FlyException) call.cause()).failure();
  }

  Duration since(long start) {
    return Duration.ofNanos(time.nanos() - start);
  }

  static String machine(String id, String name, String state) {
    return """
    {"id":"%s","name":"%s","state":"%s","region":"iad","instance_id":"01V1","host_status":"ok",
     "config":{"image":"img@sha256:1","metadata":{"role":"warm-pool"}}}\
    """
        .formatted(id, name, state);
  }
}
