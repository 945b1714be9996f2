// SPDX-License-Identifier: Apache-2.0
package cupbear.load.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.flysim.Viewers.Mode;
import cupbear.gateway.Grant;
import cupbear.gateway.Refusal;
import cupbear.load.stack.SchedulerProcess;
import cupbear.load.stack.StackPlan.Bounds;
import cupbear.load.stack.StackPlan.Pool;
import cupbear.load.viewer.Viewing;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole life of a Machine and of a session, with one scheduler; each test has its pool. */
class LifeIT {
  /** A machine that boots in this region hangs on the way, the first time. */
  private static final String PRESET =
      """
      {"switches":{"stuck_created_rate":0,"cold_resume_rate":0,"cold_image_first":false,
       "rate_limit_factor":20},
       "faults":[{"kind":"stuck_created","region":"ams","ms":100000000,"times":1}]}
      """;

  /** A gateway hears of a lost Machine when it renews, which is before a third of this. */
  private static final String SHORT_LEASE = "sessions: {lease: 9s}";

  /** A gateway that falls silent is given up within seconds. */
  private static final String HASTY = "sessions: {confirm_within: 2s, lease: 4s}";

  private static Rig rig;
  private static StoreEye store;

  @BeforeAll
  static void start() throws Exception {
    rig =
        Rig.start(
            Rig.PLAN
                .withReplicas(1)
                .withPreset(PRESET)
                .withPools(
                    Pool.of("viewers", new Bounds("iad", 2, 3)),
                    Pool.of("sick", new Bounds("iad", 1, 2)),
                    Pool.of("late", new Bounds("ams", 1, 1)).with("health: {boot_deadline: 8s}"),
                    Pool.of("hasty", new Bounds("iad", 1, 2)).with(HASTY),
                    Pool.of("dirty", new Bounds("iad", 1, 1)).withTeardown("test, -e, /nowhere"),
                    Pool.of("brief", new Bounds("iad", 1, 1)).with("sessions: {max_duration: 3s}"),
                    Pool.of("replace", new Bounds("iad", 1, 2))
                        .with("failover: replace")
                        .with(SHORT_LEASE),
                    Pool.of("notify", new Bounds("iad", 1, 1))
                        .with("failover: notify")
                        .with(SHORT_LEASE),
                    Pool.of("none", new Bounds("iad", 1, 1))
                        .with("failover: none")
                        .with(SHORT_LEASE)));
    store = new StoreEye(rig.stack());
  }

  @AfterAll
  static void end() throws Exception {
    if (rig != null) rig.close();
  }

  @AfterEach
  void promisesAreKept() {
    rig.ledger().assertKept();
    rig.stack().plan().pools().forEach(pool -> store.assertOnlyWarmOnesGranted(pool.name()));
  }

  @Test
  void fillsToWarmMinFromNothingWithTaggedMachines() throws Exception {
    rig.whole("viewers");
    String machine = rig.ids("viewers", "warm").iterator().next();
    rig.until("its tags say warm", () -> rig.tag(machine, "state").equals("warm"));
    JsonObject config = rig.truth(machine).getJsonObject("config");
    assertThat(config.getJsonObject("metadata").getMap())
        .containsEntry("app", "cupbear-viewer")
        .containsEntry("role", "warm-pool")
        .containsEntry("region", "iad")
        .containsEntry("pool", "viewers")
        .containsEntry("template_version", "1")
        .containsEntry("managed_by", "cupbear/demo")
        .containsEntry("keep", "always");
    assertThat(config.getJsonObject("restart").getString("policy")).isEqualTo("always");
    assertThat(config.getJsonArray("services", new io.vertx.core.json.JsonArray())).isEmpty();
  }

  @Test
  void servesASessionCleansUpBehindItAndUsesTheMachineAgain() throws Exception {
    Viewing viewing = rig.look("viewers");
    String machine = Rig.machineOf(viewing);
    String session = viewing.session().id();
    rig.until("tags follow: assigned", () -> rig.tag(machine, "state").equals("assigned"));
    assertThat(store.session("viewers", session)).containsEntry("stage", "connected");
    assertThat(rig.exec(machine, "touch", "/home/viewer/left-behind")).isZero();

    rig.leave(viewing);
    rig.stands(machine, "viewers", "draining", "parked", "provisioning", "proving", "warm");
    rig.stands(machine, "viewers", "parked", "provisioning", "proving", "warm");
    assertThat(store.journal("viewers"))
        .as("the playbook ran, then it was stopped and parked")
        .filteredOn(line -> line.machine().equals(machine))
        .extracting(StoreEye.Line::kind)
        .containsSubsequence(
            "machine.enrolled",
            "machine.booted",
            "machine.staged",
            "machine.proven",
            "session.granted",
            "session.connected",
            "session.ended",
            "machine.cleaned",
            "machine.parked");

    rig.whole("viewers");
    if (rig.ids("viewers", "parked").contains(machine)) {
      rig.until("tags follow: parked", () -> rig.tag(machine, "state").equals("parked"));
      assertThat(rig.truth(machine).getString("state")).isEqualTo("stopped");
    } else {
      rig.stands(machine, "viewers", "warm");
      assertThat(rig.exec(machine, "test", "-e", "/home/viewer/left-behind")).isNotZero();
    }
  }

  @Test
  void sessionIsRenewedForAsLongAsItsViewerLooks() throws Exception {
    Viewing viewing = rig.look("replace");
    String session = viewing.session().id();
    for (String time : List.of("first", "second")) {
      Instant until = viewing.session().grant().lease().expiresAt();
      rig.until(
          "it is renewed for the %s time".formatted(time),
          () -> !viewing.session().grant().lease().expiresAt().equals(until));
    }
    assertThat(store.session("replace", session)).containsEntry("stage", "connected");
    rig.leave(viewing);
    assertThat(store.session("replace", session)).containsEntry("ended", "released");
  }

  @Test
  void sessionThatNobodyConfirmsIsTakenBackAndItsMachineCleaned() throws Exception {
    JsonObject grant =
        Wire.granted(rig.wire().ask(scheduler(), "never-confirmed-01", "hasty", "20s"));
    untilEnded("hasty", grant, "not_confirmed");
    untilCleaned("hasty", grant.getJsonObject("machine").getString("id"));
  }

  @Test
  void sessionWhoseGatewayFallsSilentEndsAndIsToldSoWhenItComesBack() throws Exception {
    JsonObject grant =
        Wire.granted(rig.wire().ask(scheduler(), "falls-silent-0001", "hasty", "20s"));
    assertThat(rig.wire().renew(scheduler(), grant).statusCode()).isEqualTo(200);
    untilEnded("hasty", grant, "lease_expired");
    HttpResponse<String> late = rig.wire().renew(scheduler(), grant);
    assertThat(late.statusCode()).as(late.body()).isEqualTo(409);
    assertThat(late.body()).contains("lease-lost", "lease_expired");
    untilCleaned("hasty", grant.getJsonObject("machine").getString("id"));
  }

  @Test
  void sessionEndsAfterItsLongestTimeHoweverOftenItIsRenewed() throws Exception {
    JsonObject grant =
        Wire.granted(rig.wire().ask(scheduler(), "as-long-as-it-may-1", "brief", "20s"));
    rig.until(
        "its renewal is refused",
        () -> {
          HttpResponse<String> answer = rig.wire().renew(scheduler(), grant);
          return answer.statusCode() == 409 && answer.body().contains("max_duration");
        });
    untilEnded("brief", grant, "max_duration");
  }

  @Test
  void machineThatCannotBeCleanedIsDestroyedAndReplaced() throws Exception {
    Viewing viewing = rig.look("dirty");
    String machine = Rig.machineOf(viewing);
    rig.leave(viewing);
    rig.gone(machine, "dirty");
    rig.whole("dirty");
    assertThat(store.journal("dirty"))
        .filteredOn(line -> line.machine().equals(machine))
        .extracting(StoreEye.Line::kind)
        .as("it was neither parked nor warm again")
        .doesNotContain("machine.parked")
        .containsOnlyOnce("machine.proven");
  }

  private static SchedulerProcess scheduler() {
    return rig.stack().schedulers().getFirst();
  }

  private static void untilEnded(String pool, JsonObject grant, String why) {
    rig.until(
        "its session ends: " + why,
        () -> why.equals(store.session(pool, grant.getString("id")).get("ended")));
  }

  private static void untilCleaned(String pool, String machine) {
    rig.until(
        machine + " is cleaned and parked",
        () ->
            store.journal(pool).stream()
                .filter(line -> line.machine().equals(machine))
                .map(StoreEye.Line::kind)
                .toList()
                .containsAll(List.of("machine.cleaned", "machine.parked")));
  }

  @Test
  void loginIsStagedAcceptedErasedAndNeverShown() throws Exception {
    Viewing viewing = rig.look("viewers");
    Grant grant = viewing.session().grant();
    Grant.Credentials login = grant.credentials().orElseThrow();
    assertThat(viewing.disturbed()).as("guacd took the login").isNull();

    assertThat(store.machine("viewers", grant.machine().id()).getOrDefault("sealed", ""))
        .as("erased from the Machine's record")
        .isEmpty();
    assertThat(store.session("viewers", grant.session()).getOrDefault("sealed", ""))
        .as("erased from the session's record")
        .isEmpty();
    assertThat(store.holds(login.password())).as("in the store").isFalse();
    assertThat(rig.truth().toString()).as("at Fly").doesNotContain(login.password());
    assertThat(Files.readString(rig.stack().schedulers().getFirst().log()))
        .as("in the log")
        .doesNotContain(login.password());
    rig.leave(viewing);
  }

  @Test
  void hungViewerIsStruckOutDestroyedAndReplaced() throws Exception {
    rig.whole("sick");
    String victim = rig.ids("sick", "warm").iterator().next();
    Rig.get(rig.stack().fly().faults().viewer(victim, Mode.HANG));
    rig.gone(victim, "sick");
    rig.whole("sick");
    untilJournalSays("sick", "probes in a row failed");
  }

  @Test
  void exitedMachineIsReplaced() throws Exception {
    rig.whole("sick");
    String victim = rig.ids("sick", "warm").iterator().next();
    Rig.get(rig.stack().fly().faults().crash(victim, 137, true));
    rig.gone(victim, "sick");
    rig.whole("sick");
    untilJournalSays("sick", "exited");
  }

  @Test
  void machineOnAnUnreachableHostIsReplaced() throws Exception {
    rig.whole("sick");
    String victim = rig.ids("sick", "warm").iterator().next();
    Rig.get(rig.stack().fly().faults().hostDown(victim));
    rig.until("it is not counted on", () -> !rig.ids("sick", "warm").contains(victim));
    rig.until("another is warm", () -> !rig.ids("sick", "warm").isEmpty());
    Rig.get(rig.stack().fly().faults().hostUp(victim));
    rig.gone(victim, "sick");
  }

  @Test
  void bootThatNeverProvesIsReplaced() {
    rig.whole("late");
    untilJournalSays("late", "not proven after");
  }

  @Test
  void sessionGetsAnotherMachineWhereThePoolReplaces() throws Exception {
    rig.whole("replace");
    Viewing before = rig.look("replace");
    Grant first = before.session().grant();
    Rig.get(rig.stack().fly().faults().crash(first.machine().id(), 1, false));
    rig.until(
        "the gateway heard of another Machine",
        () -> !Rig.machineOf(before).equals(first.machine().id()));

    Viewing after = rig.follow(before);
    Grant second = after.session().grant();
    assertThat(second.session()).isEqualTo(first.session());
    assertThat(second.epoch()).isGreaterThan(first.epoch());
    assertThat(second.credentials()).isNotEqualTo(first.credentials());
    rig.leave(after);
    rig.gone(first.machine().id(), "replace");
    rig.whole("replace");
  }

  @ParameterizedTest
  @ValueSource(strings = {"notify", "none"})
  void gatewayHearsThatItsMachineIsLost(String policy) throws Exception {
    Viewing viewing = rig.look(policy);
    String machine = Rig.machineOf(viewing);
    Promise<Refusal> heard = Promise.promise();
    viewing.session().onLost(heard::tryComplete);
    rig.ledger().left(viewing);
    Rig.get(rig.stack().fly().faults().crash(machine, 1, false));
    assertThat(Rig.get(heard.future())).isInstanceOf(Refusal.MachineLost.class);
    rig.gone(machine, policy);
    rig.whole(policy);
    Map<String, String> session = store.session(policy, viewing.session().id());
    assertThat(session.get("stage")).isEqualTo(policy.equals("none") ? "ended" : "lost");
  }

  @Test
  void foreignMachineIsReportedAndLeftAlone() throws Exception {
    JsonObject wish =
        new JsonObject()
            .put("name", "somebody-elses")
            .put("region", "iad")
            .put("config", new JsonObject().put("image", "viewer:1"));
    String foreign = rig.fly("POST", "", wish).getString("id");
    rig.until("it is reported", () -> rig.finds("viewers", "iad", "foreign_machines"));
    JsonObject before = rig.truth(foreign);
    Set<String> known = new HashSet<>(rig.ids("viewers"));
    assertThat(known).doesNotContain(foreign);

    // A whole turn of the loop, with a Machine to make and one to clean up.
    rig.leave(rig.look("viewers"));
    rig.whole("viewers");
    JsonObject after = rig.truth(foreign);
    assertThat(after.getString("state")).isEqualTo("started");
    assertThat(Rig.metadata(after)).isEqualTo(Rig.metadata(before));
    assertThat(after.getString("instance_id")).isEqualTo(before.getString("instance_id"));
  }

  @Test
  void tagsThatSomebodyChangedAreRepaired() throws Exception {
    rig.whole("viewers");
    String machine = rig.ids("viewers", "warm").iterator().next();
    JsonObject wrong = new JsonObject().put("state", "free").put("pool", "mine");
    rig.fly("PATCH", "/" + machine + "/metadata", new JsonObject().put("metadata", wrong));
    rig.until("the pool is right again", () -> rig.tag(machine, "pool").equals("viewers"));
    rig.until(
        "the state is right again",
        () -> {
          String standing = store.machine("viewers", machine).getOrDefault("state", "");
          return rig.tag(machine, "state").equals(standing);
        });
  }

  /** The journal says why the Machine was destroyed, once Fly has done it. */
  private static void untilJournalSays(String pool, String why) {
    rig.until(
        "the journal says " + why,
        () ->
            store.journal(pool).stream()
                .filter(line -> line.kind().equals("action.destroy"))
                .anyMatch(line -> line.why().contains(why)));
  }
}
