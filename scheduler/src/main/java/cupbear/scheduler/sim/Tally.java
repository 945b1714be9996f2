// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** How well the callers of one run were served, and what it cost. */
final class Tally {
  private long arrived;
  private long lost;
  private long[] waits = new long[64];
  private int served;
  private final Map<String, Integer> unserved = new TreeMap<>();
  private double idleHours;

  void arrived() {
    arrived++;
  }

  void lost() {
    lost++;
  }

  void served(long nanos) {
    if (served == waits.length) waits = Arrays.copyOf(waits, served * 2);
    waits[served++] = nanos / 1000;
  }

  void unserved(String how) {
    unserved.merge(how, 1, Integer::sum);
  }

  void idle(double machineHours) {
    idleHours += machineHours;
  }

  long arrivals() {
    return arrived;
  }

  long losses() {
    return lost;
  }

  double idleHours() {
    return idleHours;
  }

  /** Microseconds from the first request to the answer, of everybody who was served. */
  long[] waitsMicros() {
    return Arrays.copyOf(waits, served);
  }

  Map<String, Integer> unserved() {
    return unserved;
  }
}
