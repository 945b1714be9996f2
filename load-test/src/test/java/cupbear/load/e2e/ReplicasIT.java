// SPDX-License-Identifier: Apache-2.0
package cupbear.load.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.gateway.SessionRequest;
import cupbear.load.stack.SchedulerProcess;
import cupbear.load.stack.StackPlan.Bounds;
import cupbear.load.stack.StackPlan.Pool;
import cupbear.load.viewer.Viewing;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Replicas that leave, die and stand still, while somebody looks at a desktop all the time. */
class ReplicasIT {
  private static final List<String> REGIONS =
      List.of(
          "ams", "arn", "bom", "cdg", "dfw", "ewr", "fra", "gru", "iad", "jnb", "lax", "lhr", "nrt",
          "ord", "sin", "sjc", "syd", "yyz");

  private static Rig rig;
  private static StoreEye store;
  private Viewing standing;

  /** So many that chance does not give all of them to one of two. */
  private static Bounds[] everywhere() {
    return REGIONS.stream().map(each -> new Bounds(each, 0, 0)).toArray(Bounds[]::new);
  }

  @BeforeAll
  static void start() throws Exception {
    rig =
        Rig.start(
            Rig.PLAN
                .withReplicas(2)
                .withPools(
                    Pool.of("viewers", new Bounds("iad", 2, 2), new Bounds("lhr", 1, 1)),
                    // Nobody is ever served here at once.
                    Pool.of("empty", new Bounds("nrt", 0, 0)),
                    Pool.of("wide", everywhere()).with("reconcile: {every: 30s}")));
    store = new StoreEye(rig.stack());
  }

  @AfterAll
  static void end() throws Exception {
    if (rig != null) rig.close();
  }

  @BeforeEach
  void somebodyLooks() throws Exception {
    standing = rig.look("viewers", "iad");
    rig.whole("viewers");
  }

  @AfterEach
  void promisesAreKept() throws Exception {
    rig.ledger().assertKept();
    rig.leave(standing);
    store.assertOnlyWarmOnesGranted("viewers");
  }

  @Test
  void regionsAreSpreadOverTheReplicas() {
    rig.until(
        "each leads some, and all are led",
        () -> {
          List<String> leaders = REGIONS.stream().map(each -> store.leader("wide", each)).toList();
          return leaders.stream().noneMatch(String::isEmpty)
              && rig.stack().schedulers().stream()
                  .allMatch(
                      each -> leaders.stream().anyMatch(leader -> leader.contains(each.replica())));
        });
  }

  @Test
  void terminatedReplicaHandsOverFinishesAndEndsWell() throws Exception {
    SchedulerProcess leaving = rig.leader("viewers", "iad");
    // Both wait for a Machine that never comes, so one is under way when the signal arrives.
    Future<HttpResponse<String>> underWay =
        rig.wire().asked(leaving, "under-way-0000000001", "empty", "4s");
    rig.until("it waits", () -> store.holdsKey("empty", "under-way-0000000001"));

    leaving.drain();
    rig.until("it is not ready", () -> rig.wire().readiness(leaving) != 200);
    rig.ledByOthers(leaving, "viewers");
    HttpResponse<String> answer = Rig.get(underWay);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
    assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    assertThat(leaving.awaitEnd()).isZero();
    List<String> said = Files.readAllLines(leaving.log());
    assertThat(said.getLast()).isEqualTo("drained");

    rig.leave(rig.look("viewers", "iad"));
    rig.stack().restart(leaving);
    rig.reconnect();
    rig.whole("viewers");
  }

  @Test
  void killedReplicaIsFollowedAndItsCallersAreServedOnce() throws Exception {
    SchedulerProcess victim = rig.leader("viewers", "iad");
    SchedulerProcess other = otherThan(victim);
    String key = "answered-before-it-died-1";
    HttpResponse<String> before = rig.wire().ask(victim, key, "viewers", "20s");
    assertThat(before.statusCode()).as(before.body()).isEqualTo(201);
    String session = new JsonObject(before.body()).getString("id");
    // Takes what is warm, so that the next one has to wait at the replica that is going to die.
    List<Viewing> all = takeAllWarm();
    Future<Viewing> waiting =
        rig.lookThrough(
            List.of(victim, other),
            SessionRequest.of("viewers").in("iad").waiting(Duration.ofSeconds(30)));

    victim.kill();
    HttpResponse<String> again = rig.wire().ask(other, key, "viewers", "20s");
    assertThat(again.statusCode()).as(again.body()).isEqualTo(201);
    assertThat(new JsonObject(again.body()).getString("id")).isEqualTo(session);
    assertThat(again.headers().firstValue("Idempotency-Replayed")).contains("true");
    rig.wire().release(other, session);

    rig.ledByOthers(victim, "viewers");
    rig.leave(Rig.get(waiting));
    for (Viewing each : all) rig.leave(each);
    rig.stack().restart(victim);
    rig.reconnect();
    rig.whole("viewers");
    rig.until("nothing is left over", () -> rig.atFly("viewers").equals(rig.ids("viewers")));
  }

  private List<Viewing> takeAllWarm() throws InterruptedException {
    int warm = rig.ids("viewers", "warm").size();
    List<Viewing> all = new java.util.ArrayList<>();
    for (int i = 0; i < warm; i++) all.add(rig.look("viewers"));
    return all;
  }

  @Test
  void leaderThatStoodStillDoesNoHarmWhenItGoesOn() throws Exception {
    SchedulerProcess leader = rig.leader("viewers", "iad");
    SchedulerProcess other = otherThan(leader);
    rig.until("Fly and the book agree", () -> rig.atFly("viewers").equals(rig.ids("viewers")));
    Set<String> atFly = rig.atFly("viewers");
    leader.pause();
    try {
      rig.until("the other one leads", () -> leadsAlone(other));
    } finally {
      leader.resume();
    }
    rig.until(
        "it knows that it does not lead",
        () -> Files.readString(leader.log()).contains("not leading any more"));
    rig.until("it is ready", () -> rig.wire().readiness(leader) == 200);
    assertThat(standing.disturbed()).isNull();
    assertThat(rig.atFly("viewers")).as("nothing was made or destroyed twice").isEqualTo(atFly);
    HttpResponse<String> answer =
        rig.wire().ask(leader, "after-it-stood-still-1", "viewers", "20s");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    rig.wire().release(leader, new JsonObject(answer.body()).getString("id"));
  }

  private static boolean leadsAlone(SchedulerProcess other) {
    String leaders = store.leader("viewers", "iad") + store.leader("viewers", "lhr");
    return leaders.split(other.replica(), -1).length == 3;
  }

  private static SchedulerProcess otherThan(SchedulerProcess one) {
    return rig.stack().schedulers().stream()
        .filter(each -> each.number() != one.number())
        .findFirst()
        .orElseThrow();
  }
}
