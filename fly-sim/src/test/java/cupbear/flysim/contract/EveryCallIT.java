// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.contract;

import static cupbear.flysim.contract.Meeting.CONFIG;
import static cupbear.flysim.contract.Meeting.now;
import static cupbear.flysim.contract.Meeting.value;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.fly.Action;
import cupbear.fly.FlyMachine;
import cupbear.fly.FlyMetadata;
import cupbear.fly.model.App;
import cupbear.fly.model.CreateMachine;
import cupbear.fly.model.Created;
import cupbear.fly.model.ExecCommand;
import cupbear.fly.model.ExecResult;
import cupbear.fly.model.HostStatus;
import cupbear.fly.model.Lease;
import cupbear.fly.model.Machine;
import cupbear.fly.model.MachineEvent;
import cupbear.fly.model.MachineFilter;
import cupbear.fly.model.MachineState;
import cupbear.fly.model.MachineState.Kind;
import cupbear.fly.model.MachineVersion;
import cupbear.fly.model.MetadataChange;
import cupbear.fly.model.NewApp;
import cupbear.fly.model.OrgMachines;
import cupbear.fly.model.OrgQuery;
import cupbear.fly.model.PlacementQuestion;
import cupbear.fly.model.Placements;
import cupbear.fly.model.Region;
import cupbear.fly.model.Secret;
import cupbear.fly.model.Stop;
import cupbear.fly.model.UpdateMachine;
import cupbear.fly.model.WaitFor;
import cupbear.fly.model.Waited;
import cupbear.flysim.FlySimConfig;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Every method of the client once, with what it makes of the simulator's answer. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EveryCallIT {

  private static final int LAST = Integer.MAX_VALUE;

  private Meeting meeting;

  @BeforeAll
  void meet() throws Exception {
    // With viewers that listen: exec shall run something.
    meeting = new Meeting(FlySimConfig.standard(), config -> config);
  }

  @AfterAll
  void part() throws Exception {
    meeting.close();
  }

  @Test
  void appsAreMadeAndFound() throws Exception {
    App made = value(meeting.fly.createApp(new NewApp("walk", FlySimConfig.ORG, "walk-net")));
    assertThat(made.id()).isNotEmpty();
    assertThat(made.name()).isEqualTo("walk");
    App got = value(meeting.fly.app("walk").get());
    assertThat(got.id()).isEqualTo(made.id());
    assertThat(got.network()).isEqualTo("walk-net");
    assertThat(requireNonNull(got.organization()).slug()).isEqualTo(FlySimConfig.ORG);
    assertThat(value(meeting.fly.apps(FlySimConfig.ORG)).apps())
        .extracting(App::name)
        .contains("walk", FlySimConfig.APP);
    assertThat(value(meeting.fly.app("walk").volumes())).isEmpty();
    assertThat(value(meeting.fly.app("walk").ipAssignments())).isEmpty();
  }

  @Test
  void platformIsDescribed() throws Exception {
    assertThat(value(meeting.fly.regions()).regions())
        .filteredOn(Region::code, "iad")
        .singleElement()
        .satisfies(iad -> assertThat(iad.latitude()).isBetween(39.0, 39.1));
    assertThat(value(meeting.fly.regions()).nearest()).isNotEmpty();
    Placements placements =
        value(meeting.fly.placements(new PlacementQuestion(FlySimConfig.ORG, "iad,us", 3, null)));
    assertThat(placements.regions())
        .singleElement()
        .extracting(Placements.InRegion::region, Placements.InRegion::count)
        .containsExactly("iad", 3);
    assertThat(value(meeting.fly.currentToken()).tokens())
        .singleElement()
        .satisfies(grant -> assertThat(grant.orgSlug()).isEqualTo(FlySimConfig.ORG));
  }

  @Test
  void keysOfRegionsMayBeLowerCase() throws Exception {
    meeting.sim.faults().switches(new JsonObject().put("region_keys", "lower")).await();
    assertThat(value(meeting.fly.regions()).regions()).hasSize(18);
    meeting.sim.faults().switches(new JsonObject().put("region_keys", "capital")).await();
  }

  @Test
  void lifeOfOneMachine() throws Exception {
    CreateMachine order =
        CreateMachine.of(meeting.name(), "lhr,eu", CONFIG).leasedFor(Duration.ofSeconds(30));
    Created created = value(meeting.app.create(order));
    Machine born = created.machine();
    assertThat(created.adopted()).isFalse();
    assertThat(born.name()).isEqualTo(order.name());
    assertThat(born.region()).isEqualTo("lhr");
    assertThat(born.state().kind()).isEqualTo(Kind.CREATED);
    assertThat(born.nonce()).hasSize(12);
    assertThat(born.metadata()).containsEntry("role", "pool");
    assertThat(born.hostStatus()).isEqualTo(HostStatus.OK);
    assertThat(born.createdAt()).isAfter(Instant.EPOCH);
    Lease ours = new Lease(born.nonce(), 0, "", "", "");
    FlyMachine machine = meeting.app.machine(born.id()).holding(ours);
    assertThat(state(machine, "started")).isEqualTo(Kind.STARTED);
    value(machine.suspend());
    assertThat(state(machine, "suspended")).isEqualTo(Kind.SUSPENDED);
    assertThat(value(machine.start()).previousState().kind()).isEqualTo(Kind.SUSPENDED);
    state(machine, "started");
    value(machine.restart(Stop.sigterm(Duration.ofSeconds(5))));
    state(machine, "started");
    value(machine.signal("SIGUSR1"));
    value(machine.cordon());
    assertThat(now(machine).cordoned()).isTrue();
    value(machine.uncordon());
    assertThat(now(machine).cordoned()).isFalse();
    value(machine.stop(Stop.sigterm(Duration.ofSeconds(20))));
    assertThat(state(machine, "stopped")).isEqualTo(Kind.STOPPED);
    value(machine.delete(false));
    assertThat(state(machine, "destroyed")).isEqualTo(Kind.DESTROYED);
    assertThat(now(machine).state().kind()).isEqualTo(Kind.DESTROYED);
    value(machine.delete(false));
  }

  private static Kind state(FlyMachine machine, String wanted) throws Exception {
    Waited waited = value(machine.waitFor(WaitFor.anyOf(wanted)));
    assertThat(waited.version()).isNotEmpty();
    assertThat(waited.eventId()).isNotEmpty();
    return waited.state().kind();
  }

  @Test
  void updateMakesAVersion() throws Exception {
    FlyMachine machine = meeting.running();
    String before = now(machine).instanceId();
    var config = requireNonNull(now(machine).config()).edit().env("A", "1").build();
    Machine updated = value(machine.update(UpdateMachine.of(config, before)));
    assertThat(updated.instanceId()).isNotEqualTo(before);
    value(machine.waitFor(WaitFor.anyOf("started").version(updated.instanceId())));
    assertThat(requireNonNull(now(machine).config()).env()).containsEntry("A", "1");
    assertThat(value(machine.versions()))
        .extracting(MachineVersion::version)
        .contains(before, updated.instanceId());
  }

  @Test
  void leaseIsTakenRefreshedAndReleased() throws Exception {
    FlyMachine machine = meeting.running();
    assertThat(value(machine.lease())).isEmpty();
    Lease lease = value(machine.acquireLease(Duration.ofSeconds(30), "walk"));
    assertThat(lease.nonce()).hasSize(12);
    assertThat(lease.expires()).isAfter(Instant.now());
    Lease longer = value(machine.refreshLease(lease, Duration.ofMinutes(5)));
    assertThat(longer.nonce()).isEqualTo(lease.nonce());
    assertThat(longer.expires()).isAfter(lease.expires());
    assertThat(value(machine.lease()).orElseThrow().description()).isEqualTo("walk");
    Lease shown = requireNonNull(value(machine.getWithLease()).lease());
    assertThat(shown.owner()).isEqualTo(lease.owner());
    assertThat(shown.nonce()).isEmpty();
    value(machine.releaseLease(lease));
    assertThat(value(machine.lease())).isEmpty();
    value(machine.releaseLease(lease));
  }

  @Test
  void leaseMayComeWithoutAnEnvelope() throws Exception {
    FlyMachine machine = meeting.running();
    meeting.sim.faults().switches(new JsonObject().put("lease_shape", "flat")).await();
    Lease lease = value(machine.acquireLease(Duration.ofSeconds(30), "flat"));
    assertThat(lease.nonce()).hasSize(12);
    value(machine.releaseLease(lease));
    meeting.sim.faults().switches(new JsonObject().put("lease_shape", "envelope")).await();
  }

  @Test
  void metadataIsMerged() throws Exception {
    FlyMachine machine = meeting.running();
    String version = now(machine).instanceId();
    FlyMetadata metadata = machine.metadata();
    value(
        metadata.patch(
            MetadataChange.of(Map.of("state", "warm")).removing("role").ifVersion(version)));
    value(metadata.put(MetadataChange.of(Map.of("claim", "c-1"))));
    assertThat(value(metadata.all()))
        .containsExactlyInAnyOrderEntriesOf(Map.of("state", "warm", "claim", "c-1"));
    value(metadata.set("claim", "c-2"));
    assertThat(value(metadata.get("claim"))).contains("c-2");
    value(metadata.remove("claim"));
    assertThat(value(metadata.get("claim"))).isEmpty();
    assertThat(now(machine).metadata()).containsExactlyEntriesOf(Map.of("state", "warm"));
    assertThat(now(machine).instanceId()).isEqualTo(version);
  }

  @Test
  void commandsRunInside() throws Exception {
    FlyMachine machine = meeting.running();
    ExecResult said =
        value(machine.exec(ExecCommand.of("tee", "/tmp/note").reading(Secret.of("hello"))));
    assertThat(said.ok()).isTrue();
    assertThat(said.stdout()).isEqualTo("hello");
    ExecResult failed = value(machine.exec(ExecCommand.of("false")));
    assertThat(failed.ok()).isFalse();
    assertThat(failed.exitCode()).isEqualTo(1);
  }

  @Test
  void eventsAreNewestFirst() throws Exception {
    FlyMachine machine = meeting.running();
    List<MachineEvent> events = value(machine.events(50));
    assertThat(events.getFirst().type()).isEqualTo("start");
    assertThat(events.getLast().type()).isEqualTo("launch");
    assertThat(events.getFirst().at()).isAfterOrEqualTo(events.getLast().at());
  }

  @Test
  void listsAreFiltered() throws Exception {
    CreateMachine order =
        CreateMachine.of(meeting.name(), "syd", CONFIG.edit().metadata("only", "this").build());
    FlyMachine machine = meeting.made(order, "started");
    value(machine.acquireLease(Duration.ofSeconds(60), "list"));
    MachineFilter filter =
        MachineFilter.ALL
            .inRegion("syd")
            .inState(Kind.STARTED, Kind.STOPPED)
            .tagged("only", "this")
            .withLeases();
    assertThat(value(meeting.app.machines(filter)))
        .singleElement()
        .satisfies(listed -> {
          assertThat(listed.id()).isEqualTo(machine.id());
          assertThat(requireNonNull(listed.lease()).description()).isEqualTo("list");
        });
    assertThat(value(meeting.app.machines(filter.inState(Kind.STOPPED)))).isEmpty();
    assertThat(value(meeting.app.machines(MachineFilter.ALL.inRegion("syd").summarised())))
        .singleElement()
        .satisfies(listed -> assertThat(listed.config()).isNull());
  }

  @Test
  void organisationIsReadPageByPage() throws Exception {
    meeting.running();
    meeting.running();
    OrgMachines first = value(meeting.fly.machines(FlySimConfig.ORG, OrgQuery.FIRST.atMost(1)));
    assertThat(first.machines()).hasSize(1);
    assertThat(first.isLast()).isFalse();
    assertThat(first.isWhole()).isTrue();
    OrgMachines second =
        value(
            meeting.fly.machines(
                FlySimConfig.ORG, OrgQuery.FIRST.atMost(1).from(first.nextCursor())));
    assertThat(second.machines().getFirst().id()).isNotEqualTo(first.machines().getFirst().id());
    assertThat(second.machines().getFirst().appName()).isEqualTo(FlySimConfig.APP);
    assertThat(second.machines().getFirst().state()).isNotEqualTo(MachineState.of(""));
  }

  @Test
  @Order(LAST)
  void nothingWasLeftOut() {
    Set<Action> called = EnumSet.noneOf(Action.class);
    meeting.calls().forEach(call -> called.add(call.action()));
    assertThat(called).containsExactlyInAnyOrder(Action.values());
  }
}
