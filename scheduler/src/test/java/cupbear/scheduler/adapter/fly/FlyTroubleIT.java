// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.fly;

import static cupbear.scheduler.adapter.SimulatedFly.get;
import static cupbear.scheduler.adapter.SimulatedFly.order;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.fly.FlyClient;
import cupbear.fly.FlyConfig;
import cupbear.fly.model.CreateMachine;
import cupbear.fly.model.MachineConfig;
import cupbear.flysim.FlySimConfig;
import cupbear.flysim.NoViewers;
import cupbear.flysim.world.Token;
import cupbear.scheduler.adapter.SimulatedFly;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.Listed;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.port.FlyTrouble;
import cupbear.scheduler.port.FlyTrouble.Kind;
import cupbear.scheduler.port.Machines;
import cupbear.scheduler.port.Machines.Command;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every way in which Fly refuses, is silent or loses an answer, as the loop hears of it. */
class FlyTroubleIT {
  private static final String ELSEWHERE = "fm2_other-app";
  private static final MachineId NOBODY = new MachineId("00000000000000");

  private static SimulatedFly fly;
  private static Machines machines;
  private static int names;

  @BeforeAll
  static void open() {
    List<Token> tokens =
        List.of(
            Token.org(FlySimConfig.TOKEN, FlySimConfig.ORG),
            Token.app(ELSEWHERE, FlySimConfig.ORG, "other-app"));
    fly = new SimulatedFly(config -> config.withViewers(NoViewers::new).withTokens(tokens));
    machines = FlyMachinesIT.machines(fly);
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

  private static MachineId running() {
    return FlyMachinesIT.made(machines, name(), Keep.MANUAL);
  }

  private static MachineId stopped() {
    MachineId id = running();
    get(machines.stop(id));
    FlyMachinesIT.awaitPower(machines, id, Power.STOPPED);
    return id;
  }

  private static FlyTrouble trouble(Future<?> call) {
    try {
      Object value = get(call);
      throw new AssertionError("no trouble, but " + value);
    } catch (FlyTrouble trouble) {
      return trouble;
    }
  }

  private static Future<?> create() {
    return machines.create(order(name(), Keep.ALWAYS));
  }

  private static Command command() {
    return new Command(List.of("chpasswd"), "viewer:s3cr3t-word", Duration.ofSeconds(2));
  }

  private static Machines with(FlyClient client, String app) {
    var scope = new FlyMachines.Scope(app, SimulatedFly.OURS, pool -> Duration.ofSeconds(20));
    return new FlyMachines(client, scope, InstantSource.system());
  }

  // ---- no room

  @Test
  void regionIsFull() {
    fly.fault("capacity.region", "\"region\":\"iad\"");
    assertThat(trouble(create()).kind()).isEqualTo(Kind.NO_CAPACITY);
  }

  @Test
  void organisationIsAtItsLimit() {
    fly.fault("org_machine_limit", "\"limit\":0");
    assertThat(trouble(create()).kind()).isEqualTo(Kind.NO_CAPACITY);
  }

  @Test
  void hostIsFull() {
    MachineId id = stopped();
    fly.fault("capacity.host", "\"resource\":\"memory\"");
    assertThat(trouble(machines.start(id)).kind()).isEqualTo(Kind.HOST_FULL);
  }

  // ---- too often, out of order

  @Test
  void tooManyCalls() {
    MachineId id = running();
    fly.fault("rate_limit", "");
    // At once: after each refusal the client itself pauses for a second.
    List<Future<?>> calls = List.of(machines.list(), create(), machines.stop(id));
    assertThat(calls).allSatisfy(call -> assertThat(trouble(call).kind()).isEqualTo(Kind.LIMITED));
  }

  @ParameterizedTest(name = "status {0}")
  @ValueSource(ints = {500, 502, 503})
  void flyIsOutOfOrder(int status) {
    MachineId id = running();
    fly.fault("server_error", "\"status\":" + status);
    assertThat(trouble(machines.list()).kind()).isEqualTo(Kind.UNAVAILABLE);
    assertThat(trouble(machines.look(id)).kind()).isEqualTo(Kind.UNAVAILABLE);
    assertThat(trouble(machines.stop(id)).kind()).as("it may be done").isEqualTo(Kind.UNSURE);
  }

  @Test
  @DisplayName("two errors in a row are got over without anybody hearing of them")
  void passingErrors() {
    fly.fault("server_error", "\"times\":2");
    get(machines.list());
  }

  @Test
  void nobodyListens() {
    FlyClient client = fly.client("http://127.0.0.1:1", FlySimConfig.TOKEN, config -> config);
    Machines unreachable = with(client, SimulatedFly.APP);
    assertThat(trouble(unreachable.list()).kind()).isEqualTo(Kind.UNAVAILABLE);
    assertThat(trouble(unreachable.create(order(name(), Keep.ALWAYS))).kind())
        .as("nothing was sent")
        .isEqualTo(Kind.UNAVAILABLE);
    get(client.close());
  }

  // ---- not allowed, not there

  @Test
  void tokenIsRefused() {
    fly.fault("unauthorized", "");
    assertThat(trouble(machines.list()).kind()).isEqualTo(Kind.DENIED);
    assertThat(trouble(create()).kind()).isEqualTo(Kind.DENIED);
  }

  @Test
  void tokenIsForAnotherApp() {
    FlyClient client = fly.client(fly.sim.url(), ELSEWHERE, config -> config);
    assertThat(trouble(with(client, SimulatedFly.APP).list()).kind()).isEqualTo(Kind.DENIED);
    get(client.close());
  }

  @Test
  void appIsMissing() {
    assertThat(trouble(with(fly.client, "no-such-app").list()).kind()).isEqualTo(Kind.DENIED);
  }

  @Test
  void machineIsMissing() {
    assertThat(trouble(machines.start(NOBODY)).kind()).isEqualTo(Kind.GONE);
    assertThat(trouble(machines.exec(NOBODY, command())).kind()).isEqualTo(Kind.GONE);
    assertThat(trouble(machines.retag(NOBODY, Map.of("state", "warm"))).kind())
        .isEqualTo(Kind.GONE);
  }

  @Test
  void machineIsDestroyed() {
    MachineId id = running();
    get(machines.destroy(id));
    FlyMachinesIT.awaitPower(machines, id, Power.DESTROYED);
    assertThat(trouble(machines.start(id)).kind()).isEqualTo(Kind.GONE);
  }

  // ---- not now

  @Test
  void stillBeingClearedAway() {
    get(fly.sim.faults().latencies(reap(3_600_000)));
    MachineId id = stopped();
    get(fly.sim.faults().latencies(reap(1)));
    FlyClient hasty = fly.client(fly.sim.url(), FlySimConfig.TOKEN, FlyTroubleIT::impatient);
    assertThat(trouble(with(hasty, SimulatedFly.APP).start(id)).kind()).isEqualTo(Kind.BUSY);
    get(hasty.close());
  }

  private static JsonObject reap(long ms) {
    return new JsonObject("{\"reap\":{\"p50_ms\":%d,\"p95_ms\":%d}}".formatted(ms, ms));
  }

  private static FlyConfig impatient(FlyConfig config) {
    var rule = config.retry();
    return config.retry(
        new cupbear.fly.RetryRule(
            rule.attempts(),
            rule.base(),
            rule.longest(),
            rule.refused(),
            rule.lookAfter(),
            Duration.ofMillis(50)));
  }

  @Test
  void leasedBySomebodyElse() {
    MachineId id = stopped();
    get(fly.sim.faults().holdLease(id.value(), "somebody", Duration.ofMinutes(5)));
    assertThat(trouble(machines.start(id)).kind()).isEqualTo(Kind.BUSY);
  }

  @Test
  void commandInAMachineThatIsDown() {
    assertThat(trouble(machines.exec(stopped(), command())).kind()).isEqualTo(Kind.BUSY);
  }

  @Test
  @DisplayName("a name that somebody else's Machine has is not taken over")
  void nameOfSomebodyElse() {
    String name = name();
    MachineConfig theirs = MachineConfig.of("registry.example/other:1").build();
    get(fly.client.app(SimulatedFly.APP).create(CreateMachine.of(name, "iad", theirs)));
    FlyTrouble trouble = trouble(machines.create(order(name, Keep.ALWAYS)));
    assertThat(trouble.kind()).isEqualTo(Kind.BUSY);
    assertThat(trouble).hasMessageContaining("not ours");
  }

  // ---- lost answers

  @ParameterizedTest(name = "the answer to a create is lost: {0}")
  @ValueSource(strings = {"408", "504", "reset"})
  void createIsFoundByItsName(String answer) {
    long before = fly.alive();
    fly.fault("ambiguous_create", "\"answer\":\"" + answer + "\",\"times\":1");
    String name = name();
    Listed made = get(machines.create(order(name, Keep.ALWAYS)));
    assertThat(made.name()).isEqualTo(name);
    assertThat(made.ours()).isTrue();
    assertThat(fly.alive() - before).as("one Machine, not two").isEqualTo(1);
  }

  @Test
  @DisplayName("a create that cannot be looked for either is unsure, and a repeat finds it")
  void createInTheDark() {
    long before = fly.alive();
    fly.fault("ambiguous_create", "\"answer\":\"reset\"");
    fly.fault("server_error", "\"actions\":[\"list\",\"get\"]");
    String name = name();
    assertThat(trouble(machines.create(order(name, Keep.ALWAYS))).kind()).isEqualTo(Kind.UNSURE);
    fly.calm();
    get(machines.create(order(name, Keep.ALWAYS)));
    assertThat(fly.alive() - before).isEqualTo(1);
  }

  @ParameterizedTest(name = "the answer to a {0} is lost and it is done all the same")
  @CsvSource({"stop, STOPPED", "delete, DESTROYED"})
  void lostAnswerOfAChange(String action, Power power) {
    MachineId id = running();
    fly.fault("connection_reset", "\"after\":true,\"times\":1,\"actions\":[\"" + action + "\"]");
    get(action.equals("stop") ? machines.stop(id) : machines.destroy(id));
    FlyMachinesIT.awaitPower(machines, id, power);
  }

  @Test
  @DisplayName("a command whose answer is lost is never sent again")
  void lostAnswerOfACommand() {
    MachineId id = running();
    int before = fly.arrived("exec");
    fly.fault("connection_reset", "\"after\":true,\"actions\":[\"exec\"]");
    FlyTrouble trouble = trouble(machines.exec(id, command()));
    assertThat(trouble.kind()).isEqualTo(Kind.UNSURE);
    assertThat(trouble).hasMessageNotContaining("s3cr3t");
    assertThat(fly.arrived("exec") - before).isEqualTo(1);
  }

  @Test
  @DisplayName("the host under a Machine is silent: whether it will stop, nobody knows")
  void silentHost() {
    MachineId id = running();
    get(fly.sim.faults().hostDown(id.value()));
    assertThat(trouble(machines.stop(id)).kind()).isEqualTo(Kind.UNSURE);
    assertThat(trouble(machines.exec(id, command())).kind()).isEqualTo(Kind.UNSURE);
  }
}
