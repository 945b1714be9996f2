// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import cupbear.flysim.Viewers;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * What every part of the world leans on: time, chance, faults, and the apps there are. Chance is
 * split by purpose, so that one more roll for a latency does not change the next id. World's
 * thread.
 */
final class Platform {
  final Timers timers;
  final Viewers viewers;
  final Latencies latencies;
  final Faults faults;
  final Ids ids;

  /** For choices of the platform itself: hosts, regions, rare mishaps. */
  final Random chance;

  final Map<String, App> apps = new LinkedHashMap<>();
  Switches switches;

  Platform(Timers timers, Viewers viewers, double speed, long seed, Switches switches) {
    this.timers = timers;
    this.viewers = viewers;
    this.switches = switches;
    this.latencies = new Latencies(speed, new Random(seed));
    this.faults = new Faults(new Random(seed + 1));
    this.ids = new Ids(new Random(seed + 2));
    this.chance = new Random(seed + 3);
  }

  Instant now() {
    return timers.now();
  }

  /** Platform seconds in real time. */
  Duration platformSeconds(long seconds) {
    return latencies.scaled(Duration.ofSeconds(seconds));
  }

  Optional<Machine> machine(String id) {
    return apps.values().stream()
        .flatMap(app -> Optional.ofNullable(app.machines.get(id)).stream())
        .findFirst();
  }
}
