// SPDX-License-Identifier: Apache-2.0
package cupbear.load.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.load.stack.SchedulerProcess;
import cupbear.load.stack.StackPlan.Bounds;
import cupbear.load.stack.StackPlan.Pool;
import cupbear.load.viewer.Viewing;
import cupbear.redis.RedisProcess;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Redis and Fly in trouble, with two schedulers and somebody who looks on all the time. */
class TroubleIT {
  private static final String POOL = "viewers";

  /** Gateways renew within 5 s; a Machine that nobody knows is left alone for a little longer. */
  private static final String QUICK = "sessions: {lease: 15s}\nrecycle: {stray_grace: 6s}";

  private static Rig rig;
  private static StoreEye store;
  private Viewing standing;

  @BeforeAll
  static void start() throws Exception {
    rig =
        Rig.start(
            Rig.PLAN
                .withReplicas(2)
                .withPools(
                    Pool.of(POOL, new Bounds("iad", 3, 4), new Bounds("lhr", 1, 2)).with(QUICK)));
    store = new StoreEye(rig.stack());
  }

  @AfterAll
  static void end() throws Exception {
    if (rig != null) rig.close();
  }

  @BeforeEach
  void somebodyLooks() throws Exception {
    rig.whole(POOL);
    standing = rig.look(POOL, "iad");
  }

  @AfterEach
  void promisesAreKept() throws Exception {
    Rig.get(rig.stack().fly().faults().clearAll());
    rig.ledger().assertKept();
    rig.leave(standing);
  }

  @Test
  void frozenRedisIsSaidAtOnceAndNothingIsDestroyed() throws Exception {
    rig.whole(POOL);
    RedisProcess redis = rig.stack().redis().orElseThrow().process();
    Set<String> before = rig.atFly(POOL);
    int told = store.journal(POOL).size();
    redis.freeze();
    try {
      for (SchedulerProcess each : rig.stack().schedulers()) {
        HttpResponse<String> answer =
            rig.wire().ask(each, "while-it-is-frozen-" + each.number(), POOL, "10s");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
        assertThat(answer.body()).contains("store-unavailable");
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        rig.until("it says that it cannot serve", () -> rig.wire().readiness(each) == 503);
      }
      assertThat(rig.atFly(POOL)).as("Machines while nobody can look").isEqualTo(before);
    } finally {
      redis.thaw();
    }
    rig.until("both serve again", () -> allReady());
    rig.leave(rig.look(POOL));
    rig.whole(POOL);
    assertThat(store.journal(POOL).subList(told, store.journal(POOL).size()))
        .as("none was given up: what goes is what is too many")
        .filteredOn(line -> line.kind().equals("action.destroy"))
        .extracting(StoreEye.Line::why)
        .allMatch(why -> why.contains("parked"));
    store.assertOnlyWarmOnesGranted(POOL);
  }

  @Test
  void flushedRedisIsRebuiltUnderLoadAndNobodyIsDisturbed() throws Exception {
    List<Viewing> more = new ArrayList<>(List.of(rig.look(POOL), rig.look(POOL)));
    Traffic traffic = Traffic.start(rig, POOL, 3);
    try {
      rig.until("traffic flows", () -> traffic.served() >= 3);
      store.flush();
      int then = traffic.served();
      rig.until("it flows again after: " + traffic, () -> traffic.served() >= then + 5);
      store.flush();
      int later = traffic.served();
      rig.until("and again", () -> traffic.served() >= later + 5);
    } finally {
      traffic.end();
    }
    rig.ledger().assertKept();
    for (Viewing each : more) rig.leave(each);
    rig.whole(POOL);
    settled();
  }

  /** Down, limited by somebody else's calls, or slower than our deadlines allow for. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'kind':'server_error','status':503}",
        "{'kind':'rate_limit'}",
        "{'kind':'slow','ms':12000}"
      })
  void flyInTroubleDelaysNobodyWhoFindsAWarmMachine(String trouble) throws Exception {
    fault(new JsonObject(trouble.replace('\'', '"')));
    List<Viewing> served = new ArrayList<>();
    for (int i = 0; i < 2; i++) served.add(rig.look(POOL));
    Rig.get(rig.stack().fly().faults().clearAll());
    rig.whole(POOL);
    for (Viewing each : served) rig.leave(each);
    settled();
  }

  @Test
  void createWhoseAnswerIsLostIsMadeOnce() throws Exception {
    fault(
        new JsonObject()
            .put("kind", "ambiguous_create")
            .put("answer", "reset")
            .put("probability", 0.5));
    List<Viewing> served = new ArrayList<>();
    for (int i = 0; i < 3; i++) served.add(rig.look(POOL));
    rig.whole(POOL);
    settled();
    for (Viewing each : served) rig.leave(each);
  }

  @Test
  void flyThatRefusesEveryOtherCallIsAskedAgain() throws Exception {
    fault(new JsonObject().put("kind", "rate_limit").put("probability", 0.3));
    fault(new JsonObject().put("kind", "server_error").put("status", 500).put("probability", 0.2));
    List<Viewing> served = new ArrayList<>();
    for (int i = 0; i < 2; i++) served.add(rig.look(POOL));
    rig.whole(POOL);
    for (Viewing each : served) rig.leave(each);
    Rig.get(rig.stack().fly().faults().clearAll());
    rig.whole(POOL);
    settled();
  }

  private static void fault(JsonObject fault) throws InterruptedException {
    Rig.get(rig.stack().fly().faults().set(fault));
  }

  /** What Fly has of the pool is what the book has of it: nothing twice, nothing forgotten. */
  private static void settled() {
    rig.until("Fly and the book agree", () -> rig.atFly(POOL).equals(rig.ids(POOL)));
  }

  private static boolean allReady() throws InterruptedException {
    for (SchedulerProcess each : rig.stack().schedulers()) {
      if (rig.wire().readiness(each) != 200) return false;
    }
    return true;
  }
}
