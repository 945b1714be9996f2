// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import cupbear.scheduler.model.ClaimRequest;
import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.Listed;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.Moved;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.ReplicaId;
import cupbear.scheduler.model.WaitResult;
import cupbear.scheduler.model.Waiter;
import cupbear.scheduler.port.Claims;
import cupbear.scheduler.port.FlyTrouble;
import cupbear.scheduler.port.Leadership;
import cupbear.scheduler.port.Machines;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Schedulers with one safeguard taken out each, to see whether anybody notices. */
final class BrokenOnPurpose {
  private BrokenOnPurpose() {}

  /** Nobody remembers what is under way: every expectation is over as soon as it is made. */
  static Variant withoutExpectations() {
    return new Variant() {
      @Override
      public Policy policy(Policy real) {
        Policy.Pass pass = real.pass();
        return real.with(
            new Policy.Pass(pass.every(), pass.staleTicks(), pass.maxActions(), Duration.ZERO));
      }
    };
  }

  /** The store takes the word of whoever led once. */
  static Variant withoutFencing() {
    return new Variant() {
      private final Map<Region, Mandate> newest = new HashMap<>();

      @Override
      public StorePorts store(StorePorts real, SimFly fly, String replica) {
        return new StorePorts(
            real.claims(),
            new OtherBook(real.book()) {
              @Override
              Mandate sign(Mandate given) {
                return newest.getOrDefault(given.region(), given);
              }
            },
            real.recovery(),
            new Remembering(real.leadership(), newest),
            real.journal());
      }
    };
  }

  /** First the Machine is taken down, and once Fly has answered the store is asked about it. */
  static Variant touchingBeforeReserving() {
    return new Variant() {
      @Override
      public StorePorts store(StorePorts real, SimFly fly, String replica) {
        OtherBook hasty =
            new OtherBook(real.book()) {
              @Override
              public Future<Moved> move(Mandate mandate, Move move) {
                boolean takes = move instanceof Move.Condemn || move instanceof Move.Retire;
                if (!takes) return super.move(mandate, move);
                takeDown(fly, move.machine());
                Promise<Moved> later = Promise.promise();
                fly.agenda()
                    .after(
                        Duration.ofMillis(500), () -> super.move(mandate, move).onComplete(later));
                return later.future();
              }
            };
        return new StorePorts(
            real.claims(), hasty, real.recovery(), real.leadership(), real.journal());
      }
    };
  }

  private static void takeDown(SimFly fly, MachineId machine) {
    try {
      fly.destroy(machine, "hasty");
    } catch (FlyTrouble trouble) {
      // Its host does not answer: nothing was touched.
    }
  }

  /** What a list does not show is taken for destroyed. */
  static Variant believingEveryList() {
    return new Variant() {
      @Override
      public Machines machines(Machines real) {
        Map<MachineId, Listed> known = new TreeMap<>();
        return new OtherMachines(real) {
          @Override
          public Future<AppList> list() {
            return super.list().map(list -> withTheMissing(list, known));
          }
        };
      }
    };
  }

  private static Machines.AppList withTheMissing(
      Machines.AppList list, Map<MachineId, Listed> known) {
    List<Listed> all = new ArrayList<>(list.machines());
    Map<MachineId, Listed> missing = new TreeMap<>(known);
    list.machines().forEach(each -> missing.remove(each.id()));
    missing.values().forEach(each -> all.add(destroyed(each)));
    list.machines().forEach(each -> known.put(each.id(), each));
    return new Machines.AppList(list.at(), all);
  }

  private static Listed destroyed(Listed was) {
    return new Listed(
        was.id(),
        was.name(),
        was.region(),
        was.ours(),
        Power.DESTROYED,
        was.address(),
        was.hostOk(),
        was.since(),
        was.exitedAt(),
        was.createdAt(),
        was.tags());
  }

  /** Whoever leaves the queue is told so, and stays in it. */
  static Variant forgettingWhoLeft() {
    return new Variant() {
      @Override
      public StorePorts store(StorePorts real, SimFly fly, String replica) {
        Claims deaf =
            new OtherClaims(real.claims()) {
              @Override
              public Future<WaitResult> leave(
                  PoolName pool, Waiter waiter, WaitResult.Leaving why) {
                return Future.succeededFuture(new WaitResult.Left());
              }
            };
        return new StorePorts(
            deaf, real.book(), real.recovery(), real.leadership(), real.journal());
      }
    };
  }

  /** A session that is failed twice is replaced twice. */
  static Variant replacingAgainAndAgain() {
    return new Variant() {
      private int replacements;

      @Override
      public StorePorts store(StorePorts real, SimFly fly, String replica) {
        Claims eager =
            new OtherClaims(real.claims()) {
              @Override
              public Future<ClaimResult> claim(ClaimRequest asked) {
                boolean instead = asked.key().endsWith("-r");
                return super.claim(instead ? underKey(asked.key() + ++replacements, asked) : asked);
              }
            };
        return new StorePorts(
            eager, real.book(), real.recovery(), real.leadership(), real.journal());
      }
    };
  }

  private static ClaimRequest underKey(String key, ClaimRequest asked) {
    return new ClaimRequest(
        asked.pool(),
        asked.caller(),
        asked.tenant(),
        key,
        asked.fingerprint(),
        asked.proposed(),
        asked.regions(),
        asked.patience(),
        asked.terms());
  }

  /** Leadership that writes down who was elected. */
  private record Remembering(Leadership real, Map<Region, Mandate> newest) implements Leadership {
    @Override
    public Future<Optional<Mandate>> campaign(
        PoolName pool, Region region, ReplicaId self, Duration lease) {
      return real.campaign(pool, region, self, lease)
          .onSuccess(won -> won.ifPresent(mandate -> newest.put(region, mandate)));
    }

    @Override
    public Future<Boolean> renew(Mandate mandate, ReplicaId self, Duration lease) {
      return real.renew(mandate, self, lease);
    }

    @Override
    public Future<Void> resign(Mandate mandate, ReplicaId self) {
      return real.resign(mandate, self);
    }

    @Override
    public Future<Optional<ReplicaId>> leader(PoolName pool, Region region) {
      return real.leader(pool, region);
    }

    @Override
    public Future<Set<ReplicaId>> hello(PoolName pool, ReplicaId self, Duration within) {
      return real.hello(pool, self, within);
    }

    @Override
    public Future<Void> goodbye(PoolName pool, ReplicaId self) {
      return real.goodbye(pool, self);
    }
  }
}
