// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import static cupbear.scheduler.app.House.IAD;
import static cupbear.scheduler.app.House.LHR;
import static cupbear.scheduler.app.House.POOL;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cupbear.scheduler.core.Spread;
import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.ReplicaId;
import cupbear.scheduler.model.Snapshot;
import cupbear.scheduler.model.Standing;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Leadership comes and goes, and the loops with it. Two replicas, one store, virtual time. */
class SupervisorTest {
  private final House first = new House();
  private final House second = new House(first.time, first.store, first.fly);

  @Test
  void aLoneReplicaLeadsAndFillsItsPool() {
    first.warmMin = 2;
    replica("r1", first, IAD);
    first.time.pass(ofSeconds(30));
    assertThat(standing(Standing.WARM)).isEqualTo(2);
    assertThat(first.fly.deeds()).filteredOn(call -> call.startsWith("create")).hasSize(2);
  }

  @Test
  void credentialsAreStagedBeforeAMachineIsWarm() {
    first.credentials = true;
    replica("r1", first, IAD);
    first.time.pass(ofSeconds(30));
    assertThat(standing(Standing.WARM)).isOne();
    assertThat(first.fly.commands).hasSize(1);
  }

  @Test
  void eachRegionHasOneLeaderAndTheyAreSpread() {
    replica("r1", first, IAD, LHR);
    replica("r2", second, IAD, LHR);
    first.time.pass(ofMinutes(2));
    Set<ReplicaId> both = Set.of(new ReplicaId("r1"), new ReplicaId("r2"));
    for (Region region : List.of(IAD, LHR)) {
      assertThat(leader(region)).isEqualTo(Spread.owner(POOL, region, both).orElseThrow());
    }
  }

  @Test
  void whenALeaderIsKilledAnotherOneLeadsWithinTwentySeconds() {
    Supervisor dies = replica("r1", first, IAD);
    first.time.pass(ofSeconds(20));
    replica("r2", second, IAD);
    first.time.pass(ofSeconds(4));
    assertThat(leader(IAD)).isEqualTo(new ReplicaId("r1"));
    dies.kill();
    first.time.pass(ofSeconds(20));
    assertThat(leader(IAD)).isEqualTo(new ReplicaId("r2"));
  }

  @Test
  void aReplicaThatLeavesInGoodOrderIsReplacedAtOnce() {
    Supervisor leaves = replica("r1", first, IAD);
    first.time.pass(ofSeconds(20));
    replica("r2", second, IAD);
    first.time.pass(ofSeconds(4));
    Future<Void> drained = leaves.drain();
    first.time.pass(ofSeconds(5));
    assertThat(drained.succeeded()).isTrue();
    assertThat(leader(IAD)).isEqualTo(new ReplicaId("r2"));
  }

  @Test
  void afterStandingStillItDoesNothingBeforeItLeadsAgain() {
    first.warmMin = 0;
    replica("r1", first, IAD);
    first.time.pass(ofSeconds(20));
    first.warmMin = 3;
    first.time.freeze(ofSeconds(60));
    int before = first.fly.deeds().size();
    first.time.pass(Duration.ofMillis(900));
    assertThat(first.fly.deeds()).hasSize(before);
    first.time.pass(ofSeconds(20));
    assertThat(leader(IAD)).isEqualTo(new ReplicaId("r1"));
  }

  @Test
  void aClockThatJumpsChangesNothing() {
    replica("r1", first, IAD);
    first.time.pass(ofSeconds(30));
    List<String> before = List.copyOf(first.fly.deeds());
    first.time.jump(ofMinutes(-50));
    first.time.pass(ofSeconds(8));
    assertThat(first.fly.deeds()).isEqualTo(before);
  }

  @Test
  void newBoundsAreHeardAtOnce() {
    Pools pools = new Pools(List.of(first.pool(IAD)));
    Supervisor supervisor = replica("r1", first, pools);
    first.time.pass(ofSeconds(30));
    first.warmMin = 3;
    pools.swap(List.of(first.pool(IAD)));
    supervisor.declared();
    first.time.pass(ofSeconds(1));
    assertThat(first.fly.deeds()).filteredOn(call -> call.startsWith("create")).hasSize(3);
  }

  @Test
  void aRegionThatIsNoLongerDeclaredIsLetGo() {
    Pools pools = new Pools(List.of(first.pool(IAD, LHR)));
    Supervisor supervisor = replica("r1", first, pools);
    first.time.pass(ofSeconds(30));
    assertThat(first.connection.leadership().leader(POOL, LHR).result()).isPresent();
    pools.swap(List.of(first.pool(IAD)));
    supervisor.declared();
    first.time.pass(ofSeconds(2));
    assertThat(first.connection.leadership().leader(POOL, LHR).result()).isEmpty();
  }

  @Test
  void aStoreThatWasWipedHasItsMachinesBackWithinSeconds() {
    first.warmMin = 2;
    replica("r1", first, IAD);
    first.time.pass(ofSeconds(30));
    first.store.wipe();
    first.time.pass(ofSeconds(10));
    assertThat(standing(Standing.WARM)).isEqualTo(2);
    assertThat(first.fly.deeds()).filteredOn(call -> call.startsWith("create")).hasSize(2);
    assertThat(first.fly.deeds()).noneMatch(call -> call.startsWith("destroy"));
  }

  @Test
  void aHintReachesTheLeaderWhoeverWasTold() {
    replica("r1", first, IAD);
    first.time.pass(ofSeconds(20));
    announce(second);
    first.time.pass(ofSeconds(20));
    assertThat(created()).isEqualTo(5);
  }

  @Test
  void theNextLeaderKnowsWhatTheOldOneWasTold() {
    Supervisor dies = replica("r1", first, IAD);
    first.time.pass(ofSeconds(20));
    replica("r2", second, IAD);
    first.time.pass(ofSeconds(4));
    dies.kill();
    announce(first);
    first.time.pass(ofSeconds(40));
    assertThat(leader(IAD)).isEqualTo(new ReplicaId("r2"));
    assertThat(created()).isEqualTo(5);
  }

  @Test
  void aReplicaThatStartsLaterReadsBackWhatWasAnnounced() {
    first.connection.recovery().state(POOL);
    announce(first);
    first.time.pass(ofMinutes(2));
    replica("r2", second, IAD);
    first.time.pass(ofSeconds(40));
    assertThat(created()).isEqualTo(5);
  }

  private static void announce(House told) {
    new Signals(told.ports())
        .take(new Signals.Signal("cdn", POOL, IAD, 6000, ofMinutes(10)))
        .toCompletionStage();
  }

  private long created() {
    return first.fly.deeds().stream().filter(call -> call.startsWith("create")).count();
  }

  @Test
  void allLoopsShareOneListCall() {
    replica("r1", first, IAD, LHR);
    first.time.pass(ofSeconds(30));
    first.fly.calls.clear();
    first.time.pass(ofSeconds(50));
    assertThat(first.fly.calls).filteredOn("list"::equals).hasSizeBetween(8, 14);
  }

  @Test
  void aRenewalThatGotNoAnswerIsRepeatedInTime() {
    replica("r1", first, IAD);
    first.time.pass(ofSeconds(20));
    first.renewalsLost = 3;
    first.time.pass(ofSeconds(30));
    assertThat(first.renewalsLost).as("repeated until it was heard").isNegative();
    assertThat(first.campaigns).as("it led all the time").isOne();
  }

  @Test
  void oneLookThatBreaksIsNotTheLast() {
    first.deafTimes = 2;
    replica("r1", first, IAD);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> first.time.pass(ofSeconds(2))).hasMessage("as the test says");
    }
    first.time.pass(ofSeconds(30));
    assertThat(leader(IAD)).isEqualTo(new ReplicaId("r1"));
    assertThat(standing(Standing.WARM)).isOne();
  }

  private static Supervisor replica(String name, House house, Region... regions) {
    return replica(name, house, new Pools(List.of(house.pool(regions))));
  }

  private static Supervisor replica(String name, House house, Pools pools) {
    Supervisor supervisor =
        new Supervisor(
            new ReplicaId(name),
            pools,
            house.ports(),
            house.threads(),
            new GrantMemory(house.time),
            new RegionBoard(house.time));
    supervisor.start();
    return supervisor;
  }

  private ReplicaId leader(Region region) {
    return second.connection.leadership().leader(POOL, region).result().orElseThrow();
  }

  private long standing(Standing standing) {
    Snapshot snapshot = first.connection.book().snapshot(POOL, IAD).result();
    return snapshot.machines().stream()
        .map(Booked::state)
        .filter(state -> state.standing() == standing)
        .count();
  }
}
