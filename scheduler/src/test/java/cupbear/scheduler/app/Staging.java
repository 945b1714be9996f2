// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.loop.Effect;
import cupbear.scheduler.loop.Event;
import cupbear.scheduler.loop.Task;
import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Reason;
import cupbear.scheduler.model.Why;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The staging of one Machine's credentials, as the leader does it; for tests of those who open. */
public final class Staging {
  public static final PoolName POOL = House.POOL;

  private Staging() {}

  /** What went to the Machine, and what to the store. */
  public record Staged(String stdin, String sealed) {}

  public static Staged stage(Credentials logins, MachineId machine, Instant bootedAt) {
    House house = new House();
    house.logins = logins;
    FakeBook book = new FakeBook();
    List<Event> events = new ArrayList<>();
    PoolSpec pool = house.pool(House.IAD);
    new EffectRunner(
            new Tenure(new Mandate(POOL, House.IAD, new Epoch(1)), house.time, 0),
            house.ports(house.connection.claims(), book),
            () -> pool,
            new Lister(house.fly, house.time, new SteadyTime(house.time), Lister.SHARED_FOR),
            new RegionBoard(house.time),
            events::add)
        .run(
            new Effect.Perform(
                new Task.Stage(
                    new Action.Stage(machine, new Why(Reason.UNDER_TARGET, "a test")), bootedAt)));
    Move.Stage move = (Move.Stage) book.moves.getFirst();
    return new Staged(house.fly.commands.getFirst().stdin(), move.sealed());
  }
}
