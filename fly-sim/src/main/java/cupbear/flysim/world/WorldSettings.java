// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import java.util.List;

/**
 * How the world begins, and what a reset takes it back to.
 *
 * @param org the organisation that owns the first app
 * @param app the app that is there from the start; "" for none
 * @param tokens who may call
 * @param speed how much faster than real the platform works
 * @param seed same seed and same calls, same world
 * @param switches see there
 * @param preset JSON with {@code faults}, {@code switches} and {@code latencies}; "" for none
 */
public record WorldSettings(
    String org,
    String app,
    List<Token> tokens,
    double speed,
    long seed,
    Switches switches,
    String preset) {

  public WorldSettings {
    if (!(speed > 0) || Double.isInfinite(speed)) {
      throw new IllegalArgumentException("speed is " + speed + "; give a number above 0");
    }
    if (tokens.isEmpty()) {
      throw new IllegalArgumentException("nobody could call: give at least one token");
    }
    tokens = List.copyOf(tokens);
  }
}
