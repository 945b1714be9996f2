// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import java.time.Duration;
import java.time.Instant;

/** Time as the world knows it. Steps run one at a time, on the world's one thread. */
public interface Timers {

  Instant now();

  /** Runs the step later, once, unless cancelled before. */
  Timer after(Duration delay, Runnable step);

  /** Runs the step on the world's thread, soon; callable from any thread. */
  void enter(Runnable step);

  /** A step that has not run yet. */
  interface Timer {
    /** Does nothing when the step has run. */
    void cancel();
  }
}
