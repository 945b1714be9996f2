// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.fly;

import static cupbear.scheduler.adapter.SimulatedFly.IAD;
import static cupbear.scheduler.adapter.SimulatedFly.POOL;
import static cupbear.scheduler.adapter.SimulatedFly.get;
import static cupbear.scheduler.adapter.SimulatedFly.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import cupbear.fly.model.CreateMachine;
import cupbear.fly.model.MachineConfig;
import cupbear.scheduler.adapter.SimulatedFly;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.Listed;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.port.Machines;
import cupbear.scheduler.port.Machines.Command;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Every call of the port against the simulator, as long as nothing goes wrong. */
class FlyMachinesIT {
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(33);
  private static final MachineId NOBODY = new MachineId("00000000000000");

  private static SimulatedFly fly;
  private static Machines machines;
  private static int names;

  @BeforeAll
  static void open() {
    fly = new SimulatedFly(config -> config);
    machines = machines(fly);
  }

  static Machines machines(SimulatedFly fly) {
    var scope = new FlyMachines.Scope(SimulatedFly.APP, SimulatedFly.OURS, pool -> STOP_TIMEOUT);
    return new FlyMachines(fly.client, scope, InstantSource.system());
  }

  @AfterAll
  static void close() {
    fly.close();
  }

  @AfterEach
  void calm() {
    fly.calm();
  }

  private static String name() {
    return "viewers-iad-" + ++names;
  }

  static MachineId made(Machines machines, String name, Keep keep) {
    MachineId id = get(machines.create(order(name, keep))).id();
    awaitPower(machines, id, Power.RUNNING);
    return id;
  }

  private static MachineId running() {
    return made(machines, name(), Keep.ALWAYS);
  }

  private static MachineId stopped() {
    MachineId id = made(machines, name(), Keep.MANUAL);
    get(machines.stop(id));
    awaitPower(machines, id, Power.STOPPED);
    return id;
  }

  static Listed awaitPower(Machines machines, MachineId id, Power power) {
    return await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(10))
        .until(() -> get(machines.look(id)).orElseThrow(), seen -> seen.power() == power);
  }

  // ---- create

  @Test
  @DisplayName("create: the template's image, size and environment, our tags, and nothing public")
  void createMakesWhatIsOrdered() {
    String name = name();
    Instant before = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    Listed made = get(machines.create(order(name, Keep.ALWAYS)));
    assertThat(made.name()).isEqualTo(name);
    assertThat(made.ours()).isTrue();
    assertThat(made.pool()).contains(POOL);
    assertThat(made.region()).isEqualTo(IAD);
    assertThat(made.power()).isIn(Power.COMING_UP, Power.RUNNING);
    assertThat(made.hostOk()).isTrue();
    assertThat(made.address()).startsWith("127.");
    assertThat(made.createdAt()).isAfterOrEqualTo(before);
    JsonObject config = fly.truth(made.id().value()).getJsonObject("config");
    assertThat(config.getString("image")).isEqualTo("registry.example/viewer:7");
    assertThat(config.getJsonObject("env").getMap()).containsEntry("GUACD_BIND", "fly-local-6pn");
    assertThat(config.getJsonObject("guest"))
        .isEqualTo(
            new JsonObject().put("cpu_kind", "shared").put("cpus", 2).put("memory_mb", 2048));
    assertThat(config.getJsonObject("restart").getString("policy")).isEqualTo("always");
    assertThat(config.getJsonObject("stop_config"))
        .isEqualTo(new JsonObject().put("signal", "SIGTERM").put("timeout", "33s"));
    assertThat(config.getBoolean("auto_destroy", false)).isFalse();
    assertThat(config.fieldNames()).doesNotContain("services", "schedule", "mounts");
    assertThat(config.getJsonObject("metadata").getMap())
        .containsEntry("managed_by", SimulatedFly.OURS)
        .containsEntry("state", "provisioning")
        .containsEntry("pool", "viewers");
  }

  @Test
  @DisplayName("create: one brought up for a peak is not restarted when it exits")
  void spikeMachinesAreNotRestarted() {
    MachineId id = made(machines, name(), Keep.MANUAL);
    JsonObject config = fly.truth(id.value()).getJsonObject("config");
    assertThat(config.getJsonObject("restart").getString("policy")).isEqualTo("no");
  }

  @Test
  @DisplayName("create: the same order again finds the first Machine")
  void repeatedCreateFindsTheFirst() {
    String name = name();
    Listed first = get(machines.create(order(name, Keep.ALWAYS)));
    Listed again = get(machines.create(order(name, Keep.ALWAYS)));
    assertThat(again.id()).isEqualTo(first.id());
  }

  // ---- list and look

  @Test
  @DisplayName("list: every Machine of the app in one call, ours and foreign")
  void listShowsOursAndForeign() {
    MachineId ours = running();
    MachineConfig theirs =
        MachineConfig.of("registry.example/other:1").metadata("managed_by", "somebody").build();
    String foreign =
        get(fly.client.app(SimulatedFly.APP).create(CreateMachine.of(name(), "lhr", theirs)))
            .machine()
            .id();
    int before = fly.arrived("list");
    Instant asked = Instant.now();
    Machines.AppList list = get(machines.list());
    assertThat(fly.arrived("list") - before).isEqualTo(1);
    assertThat(list.at()).isCloseTo(asked, within(20, ChronoUnit.SECONDS));
    assertThat(list.machines())
        .anySatisfy(each -> {
          assertThat(each.id()).isEqualTo(ours);
          assertThat(each.ours()).isTrue();
          assertThat(each.power()).isEqualTo(Power.RUNNING);
        })
        .anySatisfy(each -> {
          assertThat(each.id().value()).isEqualTo(foreign);
          assertThat(each.ours()).isFalse();
          assertThat(each.pool()).isEmpty();
        });
  }

  @Test
  @DisplayName("look: empty for a Machine that Fly never had")
  void lookAtNobody() {
    assertThat(get(machines.look(NOBODY))).isEmpty();
  }

  @Test
  @DisplayName("look: an exit that nobody asked for, with its time, also after the restart")
  void lookTellsOfExits() {
    MachineId id = running();
    assertThat(get(machines.look(id)).orElseThrow().exitedAt()).isNull();
    Instant before = Instant.now().minusMillis(1);
    get(fly.sim.faults().crash(id.value(), 139, false));
    Listed after = awaitPower(machines, id, Power.RUNNING);
    assertThat(after.exitedAt()).isAfter(before);
  }

  @Test
  @DisplayName("look: a host that does not answer is told, and the Machine is not taken for ours")
  void lookTellsOfTheHost() {
    MachineId id = running();
    get(fly.sim.faults().hostDown(id.value()));
    Listed seen = get(machines.look(id)).orElseThrow();
    assertThat(seen.hostOk()).isFalse();
    assertThat(seen.power()).isEqualTo(Power.RUNNING);
  }

  @Test
  @DisplayName("look: a new address after a migration")
  void lookTellsTheNewAddress() {
    MachineId id = running();
    String before = get(machines.look(id)).orElseThrow().address();
    get(fly.sim.faults().migrate(id.value()));
    Listed after = awaitPower(machines, id, Power.RUNNING);
    assertThat(after.address()).isNotNull().isNotEqualTo(before);
  }

  // ---- start, stop, destroy

  @Test
  @DisplayName("stop: comes to rest, and the time at which it did is told")
  void stopComesToRest() {
    MachineId id = made(machines, name(), Keep.ALWAYS);
    get(machines.list());
    Instant before = Instant.now().minusMillis(1);
    get(machines.stop(id));
    Listed rest = awaitPower(machines, id, Power.STOPPED);
    assertThat(rest.since()).isAfter(before);
    assertThat(rest.exitedAt()).as("asked for, so no exit to tell of").isNull();
  }

  @Test
  @DisplayName("stop: fine when it is down, destroyed or never was")
  void stopWhatIsDown() {
    MachineId id = stopped();
    get(machines.stop(id));
    get(machines.destroy(id));
    awaitPower(machines, id, Power.DESTROYED);
    get(machines.stop(id));
    get(machines.stop(NOBODY));
  }

  @Test
  @DisplayName("start: the seconds for which Fly refuses after a stop are waited out")
  void startAfterStop() {
    get(
        fly.sim
            .faults()
            .latencies(new JsonObject("{\"reap\":{\"p50_ms\":90000,\"p95_ms\":90000}}")));
    MachineId id = stopped();
    get(machines.start(id));
    awaitPower(machines, id, Power.RUNNING);
    assertThat(fly.arrived("start")).isGreaterThan(1);
  }

  @Test
  @DisplayName("start: fine when it runs already, whatever Fly says to that")
  void startWhatRuns() {
    MachineId id = running();
    get(machines.start(id));
    get(fly.sim.faults().switches(new JsonObject().put("start_on_started", "refuse")));
    get(machines.start(id));
    get(fly.sim.faults().switches(new JsonObject().put("start_on_started", "accept")));
  }

  @Test
  @DisplayName("destroy: also what runs; fine when it is gone or never was")
  void destroyTwice() {
    MachineId id = running();
    get(machines.destroy(id));
    get(machines.destroy(id));
    awaitPower(machines, id, Power.DESTROYED);
    get(machines.destroy(id));
    get(machines.destroy(NOBODY));
    assertThat(get(machines.list()).machines()).noneMatch(each -> each.id().equals(id));
  }

  // ---- metadata and commands

  @Test
  @DisplayName("retag: sets these tags, leaves the others, restarts nothing")
  void retagMerges() {
    MachineId id = running();
    Instant since = get(machines.look(id)).orElseThrow().since();
    get(machines.retag(id, Map.of("state", "assigned")));
    Listed after = get(machines.look(id)).orElseThrow();
    assertThat(after.tags()).containsEntry("state", "assigned").containsEntry("pool", "viewers");
    assertThat(after.since()).isEqualTo(since);
  }

  @Test
  @DisplayName("exec: reads its standard input; a command that fails is an answer, not trouble")
  void execRuns() {
    MachineId id = running();
    Command tee = new Command(List.of("tee", "/run/login"), "a:b\n", Duration.ofSeconds(5));
    assertThat(get(machines.exec(id, tee)).exitCode()).isZero();
    Command test = new Command(List.of("test", "-e", "/run/login"), "", Duration.ofSeconds(5));
    assertThat(get(machines.exec(id, test)).exitCode()).isZero();
    Command gone = new Command(List.of("cat", "/no/such"), "", Duration.ofMillis(10));
    Machines.Ran ran = get(machines.exec(id, gone));
    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.stderr()).contains("No such file");
  }

  @Test
  @DisplayName("exec: the default way of staging a login works in a simulated viewer")
  void execStages() {
    MachineId id = running();
    Command plain = cupbear.scheduler.app.PoolSpec.Handling.DEFAULT.staging();
    Command staging = new Command(plain.words(), "viewer-x7:s3cret\n", plain.deadline());
    assertThat(get(machines.exec(id, staging)).exitCode()).isZero();
    Command known = new Command(List.of("id", "viewer-x7"), "", Duration.ofSeconds(5));
    assertThat(get(machines.exec(id, known)).exitCode()).isZero();
  }

  // ---- long poll

  @Test
  @DisplayName("awaitDown: ends when the Machine does, with what it is then")
  void awaitDownEnds() {
    MachineId id = made(machines, name(), Keep.MANUAL);
    var waiting = machines.awaitDown(id);
    await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> fly.truth(id.value()).getJsonObject("sim").getInteger("waiting_calls") == 1);
    assertThat(waiting.isComplete()).isFalse();
    get(fly.sim.faults().crash(id.value(), 1, false));
    Listed down = get(waiting).orElseThrow();
    assertThat(down.power()).isEqualTo(Power.STOPPED);
    assertThat(down.exitedAt()).isNotNull();
  }

  @Test
  @DisplayName("awaitDown: nothing to tell of a Machine that Fly does not have")
  void awaitDownOfNobody() {
    assertThat(get(machines.awaitDown(NOBODY))).isEqualTo(Optional.empty());
  }
}
