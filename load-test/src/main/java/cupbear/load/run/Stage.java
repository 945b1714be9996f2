// SPDX-License-Identifier: Apache-2.0
package cupbear.load.run;

import cupbear.flysim.Viewers.Mode;
import cupbear.flysim.viewer.Answered;
import cupbear.load.stack.LocalStack;
import cupbear.load.stack.OperatorView;
import cupbear.load.stack.OperatorView.MachineView;
import cupbear.load.stack.OperatorView.RegionView;
import cupbear.load.stack.SchedulerProcess;
import cupbear.load.stack.StackPlan;
import cupbear.redis.RedisAddress;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The stack of our own, as the troubles of a scenario lay hands on it. What is done to a Machine is
 * said to the ledger first. Threads of the run, one at a time.
 */
final class Stage {
  private static final long ANSWER_WITHIN_S = 20;

  private final LocalStack stack;
  private final StackPlan plan;
  private Ledger ledger = new Ledger();
  private final Map<String, Long> counted = new HashMap<>();
  private int victims;

  Stage(LocalStack stack) {
    this.stack = stack;
    this.plan = stack.plan();
  }

  LocalStack stack() {
    return stack;
  }

  OperatorView view() {
    return stack.view();
  }

  /** A scenario begins. */
  void enter(Ledger its) {
    ledger = its;
    counted.clear();
  }

  Optional<Answered> witness(String machine) {
    return stack.viewers().answered(machine);
  }

  /** Whatever was set is taken back, so that all can heal. */
  void heal() throws IOException, InterruptedException {
    await(stack.fly().faults().clearAll());
    for (JsonObject each : machines()) {
      if ("unreachable".equals(each.getString("host_status"))) {
        await(stack.fly().faults().hostUp(each.getString("id")));
      }
    }
    if (!stack.plan().equals(plan)) declare(plan);
    for (SchedulerProcess each : stack.schedulers()) {
      if (!each.isAlive()) stack.restart(each);
    }
  }

  boolean isWhole() throws InterruptedException {
    return view().awaitWhole(Rules.WHOLE_WITHIN);
  }

  static String line(List<RegionView> regions) {
    List<String> parts = new ArrayList<>();
    for (RegionView each : regions) {
      parts.add("%s %d/%d warm".formatted(each.region(), each.count("warm"), each.warmMin()));
    }
    return String.join(", ", parts);
  }

  // ---- Fly

  void fault(String json) throws IOException, InterruptedException {
    await(stack.fly().faults().set(new JsonObject(json)));
  }

  void clearFaults() throws IOException, InterruptedException {
    await(stack.fly().faults().clearAll());
  }

  /** Every host of a region dies. */
  void loseRegion(String region) throws IOException, InterruptedException {
    fault("{\"kind\":\"capacity.region\",\"region\":\"%s\"}".formatted(region));
    for (JsonObject each : machines()) {
      if (!each.getString("region").equals(region)) continue;
      ledger.harmed(each.getString("id"), "its host died");
      await(stack.fly().faults().hostDown(each.getString("id")));
    }
  }

  void findRegion(String region) throws IOException, InterruptedException {
    clearFaults();
    for (JsonObject each : machines()) {
      if (each.getString("region").equals(region)) {
        await(stack.fly().faults().hostUp(each.getString("id")));
      }
    }
  }

  /** A share of the Machines that run accept connections and say nothing any more. */
  void hang(double share) throws IOException, InterruptedException {
    List<MachineView> running =
        view().machines().orElse(List.of()).stream()
            .filter(each -> each.state().equals("warm") || each.state().equals("assigned"))
            .toList();
    int every = (int) Math.round(1 / share);
    for (int i = 0; i < running.size(); i += every) {
      ledger.harmed(running.get(i).id(), "it hangs");
      await(stack.fly().faults().viewer(running.get(i).id(), Mode.HANG));
    }
  }

  /** A new version whose image starts, and whose services never answer. */
  void rollToBadImage() throws IOException, InterruptedException {
    fault("{\"kind\":\"bad_image\",\"image\":\"cupbear-viewer:bad\"}");
    declare(plan.withPool(StackPlan.VIEWERS, pool -> pool.withVersion("bad")));
  }

  void rollBack() throws IOException, InterruptedException {
    clearFaults();
    // Forward to a third version: going back is a release like any other.
    declare(plan.withPool(StackPlan.VIEWERS, pool -> pool.withVersion("2")));
  }

  private void declare(StackPlan next) throws IOException, InterruptedException {
    stack.declare(next);
    for (SchedulerProcess each : stack.schedulers()) {
      if (each.isAlive()) each.reload();
    }
  }

  /** From here to {@link #countedUntilHere} calls of these kinds are counted. */
  void countFromHere(String what, String... calls) throws IOException, InterruptedException {
    counted.put(what, -calls(calls));
  }

  void countedUntilHere(String what, String... calls) throws IOException, InterruptedException {
    counted.merge(what, calls(calls), Long::sum);
  }

  @Nullable Long counted(String what) {
    return counted.get(what);
  }

  private long calls(String... names) throws IOException, InterruptedException {
    JsonObject calls = await(stack.fly().faults().info()).getJsonObject("calls");
    long sum = 0;
    for (String each : names) sum += calls.getLong(each, 0L);
    return sum;
  }

  // ---- replicas

  /** SIGKILL to one after another. */
  void killReplica() throws InterruptedException {
    victim().kill();
  }

  void restartReplica() throws IOException, InterruptedException {
    stack.restart(victim());
    victims++;
  }

  private SchedulerProcess victim() {
    return stack.schedulers().get(victims % stack.schedulers().size());
  }

  // ---- Redis

  void wipeRedis() {
    try (var redis = primary().connect()) {
      redis.flushAll();
    }
  }

  void killPrimary() {
    stack.sentinel().orElseThrow().primary().kill();
  }

  private RedisAddress primary() {
    return stack
        .sentinel()
        .map(each -> each.primary().address())
        .orElseGet(() -> stack.redis().orElseThrow().address());
  }

  // ---- afterwards

  /** What is still there when everybody has gone. */
  record Leftovers(int sessions, long inBook, long atFly) {}

  Leftovers leftovers() throws InterruptedException {
    int sessions =
        view().get("/v1/sessions").map(body -> body.getJsonArray("sessions").size()).orElse(-1);
    long inBook = view().machines().map(List::size).orElse(-1);
    try {
      return new Leftovers(sessions, inBook, machines().size());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private List<JsonObject> machines() throws IOException, InterruptedException {
    return await(stack.fly().faults().machines()).stream()
        .filter(each -> !each.getString("state").startsWith("destroy"))
        .toList();
  }

  private static <T> T await(Future<T> future) throws IOException, InterruptedException {
    try {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .get(ANSWER_WITHIN_S, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("the simulator did not do it: " + e, e);
    }
  }
}
