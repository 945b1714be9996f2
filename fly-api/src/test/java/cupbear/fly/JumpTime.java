// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import io.vertx.core.Context;
import java.time.Duration;
import java.util.function.BiConsumer;

/**
 * Virtual time over real sockets: whenever no request is on the wire, time jumps to the next timer.
 * Pauses cost nothing, and nothing depends on how fast the machine is. Lives on the client's loop.
 */
final class JumpTime implements FlyTime, FlyHooks {

  private final ManualTime time = new ManualTime();
  private final Context loop;
  private int onWire;
  private boolean scheduled;

  JumpTime(Context loop) {
    this.loop = loop;
  }

  @Override
  public long nanos() {
    return time.nanos();
  }

  @Override
  public Timer after(Duration delay, Runnable task) {
    Timer timer = time.after(delay, task);
    schedule();
    return timer;
  }

  @Override
  public CallHook started(CallInfo call) {
    return new CallHook() {
      @Override
      public void sending(int number, BiConsumer<String, String> headers) {
        onWire++;
      }

      @Override
      public void answered(int number, int status, Duration took) {
        onWire--;
        schedule();
      }
    };
  }

  private void schedule() {
    if (!scheduled) {
      scheduled = true;
      loop.runOnContext(v -> jump());
    }
  }

  /** What the timer sets off is queued before the next jump. */
  private void jump() {
    if (onWire == 0 && time.jump()) {
      loop.runOnContext(v -> jump());
    } else {
      scheduled = false;
    }
  }
}
