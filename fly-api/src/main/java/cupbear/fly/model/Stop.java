// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import java.time.Duration;

/**
 * How a Machine is told to stop: with which signal, and after how long it is killed. Empty and zero
 * leave it to Fly (SIGINT, 5 s). Used in a configuration and in a stop call alike.
 */
public record Stop(String signal, Duration timeout) {

  /** The longest grace Fly gives. */
  public static final Duration LONGEST = Duration.ofMinutes(5);

  public static final Stop AS_CONFIGURED = new Stop("", Duration.ZERO);

  public Stop {
    signal = Absent.text(signal);
    timeout = timeout == null ? Duration.ZERO : timeout;
  }

  public static Stop sigterm(Duration timeout) {
    return new Stop("SIGTERM", timeout);
  }
}
