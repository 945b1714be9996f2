// SPDX-License-Identifier: Apache-2.0
package cupbear.load.reconcile;

import cupbear.scheduler.core.Tags;
import cupbear.scheduler.model.BootFigures;
import cupbear.scheduler.model.Capacity;
import cupbear.scheduler.model.Demand;
import cupbear.scheduler.model.Desired;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Health;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.Listing;
import cupbear.scheduler.model.Machine;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.Observed;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.Sighting;
import cupbear.scheduler.model.Template;
import cupbear.scheduler.model.TemplateVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A regional pool of any size on an ordinary day: half of it assigned, most of the other half warm,
 * some draining or parked, and three Machines in trouble whatever the size, so that plans of all
 * sizes find the same to do.
 */
record Fleet(Observed seen, Desired desired, Instant now) {
  /** One whose probe failed, one that exited, one that the lists do not show any more. */
  static final int IN_TROUBLE = 3;

  private static final Instant NOW = Instant.parse("2026-11-18T12:00:00Z");
  private static final Instant BOOTED = NOW.minusSeconds(3_600);
  private static final Instant SINCE = NOW.minusSeconds(600);
  private static final PoolName POOL = new PoolName("viewers");
  private static final Region IAD = new Region("iad");
  private static final TemplateVersion VERSION = new TemplateVersion("7");
  private static final long ORDER_SEED = 1;

  static Fleet of(int size) {
    List<Machine> machines = new ArrayList<>(size);
    Desired desired = desired(size);
    for (int i = 0; i < size; i++) machines.add(machine(i, desired));
    // Lists come in no order.
    Collections.shuffle(machines, new Random(ORDER_SEED));
    Observed seen =
        new Observed(
            POOL,
            IAD,
            Listing.fresh(NOW.minusSeconds(1)),
            machines,
            List.of(),
            0,
            List.of(),
            Demand.NONE,
            Capacity.AMPLE,
            new BootFigures(100, Duration.ofSeconds(20), Duration.ofSeconds(30)));
    return new Fleet(seen, desired, NOW);
  }

  static MachineId id(int number) {
    // Spread over all digits, as Fly's are.
    return new MachineId("%014x".formatted((number * 0x9E3779B97F4A7C15L) >>> 8));
  }

  private static Desired desired(int size) {
    Template.Guest guest = new Template.Guest("shared", 2, 2048);
    return new Desired(
        new Template(VERSION, "registry.example/cupbear-viewer", guest, Map.of()),
        new Desired.Bounds(size * 2 / 5, size, size),
        true,
        false,
        Desired.AfterSession.RECYCLE,
        null,
        Map.of("app", "cupbear-viewer", "managed_by", ListBody.MANAGED_BY),
        Set.of(),
        Set.of());
  }

  private static Machine machine(int number, Desired desired) {
    MachineState state = state(number);
    Map<String, String> tags = Tags.of(POOL, IAD, desired, VERSION, Keep.ALWAYS, state.standing());
    Power power = state instanceof MachineState.Parked ? Power.STOPPED : Power.RUNNING;
    Health health = healthy();
    Sighting fly = new Sighting(power, SINCE, 0, null, null, null, tags);
    // The first three are warm.
    switch (number) {
      case 0 -> health = new Health(1, 0, true, NOW.minusSeconds(20), NOW.minusSeconds(1));
      case 1 -> fly = new Sighting(power, SINCE, 0, null, null, NOW.minusSeconds(5), tags);
      case 2 -> {
        fly = new Sighting(Power.ABSENT, null, 2, NOW.minusSeconds(10), null, null, Map.of());
        health = new Health(2, 0, true, NOW.minusSeconds(20), NOW.minusSeconds(1));
      }
      default -> {}
    }
    String name = "viewers-iad-7-%06d".formatted(number);
    return new Machine(id(number), name, VERSION, Keep.ALWAYS, BOOTED, state, fly, health);
  }

  private static Health healthy() {
    return new Health(0, 9, true, NOW.minusSeconds(2), NOW.minusSeconds(2));
  }

  private static MachineState state(int number) {
    int share = number % 100;
    if (share < 45) return new MachineState.Warm(SINCE);
    if (share < 95) {
      return new MachineState.Assigned(
          SINCE, new SessionId("ses_viewers_%026d".formatted(number)), new Epoch(number + 1L));
    }
    return new MachineState.Parked(SINCE);
  }
}
