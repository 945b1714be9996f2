// SPDX-License-Identifier: Apache-2.0
package cupbear.load.dev;

import cupbear.flysim.Viewers.Mode;
import cupbear.gateway.Cupbear;
import cupbear.gateway.SessionRequest;
import cupbear.load.stack.LocalStack;
import cupbear.load.stack.OperatorView.MachineView;
import cupbear.load.stack.SchedulerProcess;
import cupbear.load.viewer.Viewing;
import io.vertx.core.Future;
import io.vertx.core.net.NetClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/**
 * What {@code cupbear dev --selftest} does: breaks one thing after another and sees the pool become
 * whole again, while one viewer goes on looking at a desktop all the time.
 */
final class SelfTest {
  private static final int SESSIONS = 50;
  private static final Duration WHOLE_WITHIN = Duration.ofSeconds(90);

  /** A wiped Redis waits a renew window for a replica that was killed just before (20 s). */
  private static final Duration SERVED_WITHIN = Duration.ofSeconds(60);

  private static final long CALL_WITHIN_S = SERVED_WITHIN.toSeconds() + 10;

  private final LocalStack stack;
  private final PrintWriter out;
  private final Cupbear cupbear;
  private final NetClient net;
  private int failed;

  /** One step; what it saw is printed behind its name. */
  private interface Step {
    String run() throws IOException, InterruptedException, StepFailed;
  }

  /** A step did not show what it should have. */
  private static final class StepFailed extends Exception {
    StepFailed(String why) {
      super(why, null, false, false);
    }
  }

  SelfTest(LocalStack stack, PrintWriter out) {
    this.stack = stack;
    this.out = out;
    this.cupbear = DemoTraffic.gateway(stack, SERVED_WITHIN);
    this.net = stack.vertx().createNetClient();
  }

  /** True when every step showed what it should have. */
  boolean run() throws IOException, InterruptedException {
    step("the pool is warm", this::whole);
    step(SESSIONS + " sessions acquired, connected and released", this::sessions);
    List<Viewing> standing = new ArrayList<>();
    step(
        "one viewer looks on from here to the end",
        () -> {
          standing.add(view());
          return "on " + standing.getFirst().session().grant().machine().id();
        });
    step("a viewer hangs: struck out, replaced", this::hang);
    step("a viewer exits: replaced", this::exit);
    step("a replica is killed: others lead, sessions are served", this::killReplica);
    step("Redis is flushed: rebuilt, sessions are served", this::flush);
    step(
        "the standing session was not disturbed",
        () -> {
          if (standing.isEmpty()) throw new StepFailed("there was none");
          String what = standing.getFirst().disturbed();
          if (what != null) throw new StepFailed(what);
          get(standing.getFirst().end());
          return "released";
        });
    step(
        "the gateway leaves",
        () -> {
          get(cupbear.shutdown());
          return "";
        });
    return failed == 0;
  }

  private void step(String name, Step step) throws IOException, InterruptedException {
    long began = System.nanoTime();
    String mark = "✓";
    String saw;
    try {
      saw = step.run();
    } catch (StepFailed notSeen) {
      mark = "✗";
      saw = String.valueOf(notSeen.getMessage());
      failed++;
    }
    double took = (System.nanoTime() - began) / 1e9;
    out.println(String.format(Locale.ROOT, "%s %s (%.1f s) %s", mark, name, took, saw).strip());
    out.flush();
  }

  private String whole() throws InterruptedException, StepFailed {
    if (!stack.view().awaitWhole(WHOLE_WITHIN)) {
      throw new StepFailed("not within %s: %s".formatted(WHOLE_WITHIN, seen()));
    }
    return seen();
  }

  private String seen() throws InterruptedException {
    return stack.view().regions().map(StatusTable::line).orElse("nobody answers");
  }

  private String sessions() throws InterruptedException, StepFailed {
    int most = stack.plan().regions().size() * 2;
    List<Viewing> open = new ArrayList<>();
    for (int i = 0; i < SESSIONS; i++) {
      open.add(view());
      if (open.size() == most || i == SESSIONS - 1) {
        for (Viewing each : open) {
          if (each.disturbed() != null) throw new StepFailed(String.valueOf(each.disturbed()));
          get(each.end());
        }
        open.clear();
      }
    }
    return "";
  }

  private Viewing view() throws InterruptedException, StepFailed {
    var request = SessionRequest.of("viewers").waiting(Duration.ofSeconds(20));
    return get(cupbear.acquire(request).compose(session -> Viewing.begin(net, session)));
  }

  private String hang() throws InterruptedException, StepFailed {
    whole();
    MachineView victim = warm();
    get(stack.fly().faults().viewer(victim.id(), Mode.HANG));
    gone(victim);
    return victim.id() + " is gone; " + whole();
  }

  private String exit() throws InterruptedException, StepFailed {
    whole();
    MachineView victim = warm();
    get(stack.fly().faults().crash(victim.id(), 137, true));
    until(machines -> machines.stream().noneMatch(each -> isWarm(each, victim)), "noticed");
    return victim.id() + " was noticed; " + whole();
  }

  private static boolean isWarm(MachineView each, MachineView victim) {
    return each.id().equals(victim.id()) && each.state().equals("warm");
  }

  private String killReplica() throws IOException, InterruptedException, StepFailed {
    SchedulerProcess victim = stack.schedulers().getFirst();
    victim.kill();
    if (stack.schedulers().size() > 1) {
      boolean led =
          stack
              .view()
              .await(
                  regions ->
                      regions.stream()
                          .allMatch(each ->
                              each.leader() != null && !victim.replica().equals(each.leader())),
                  WHOLE_WITHIN);
      if (!led) throw new StepFailed("not all regions are led by others");
    }
    SchedulerProcess next = stack.restart(victim);
    get(view().end());
    return "%s is back as %s; %s".formatted(victim.replica(), next.replica(), whole());
  }

  private String flush() throws InterruptedException, StepFailed {
    var redis = stack.redis().orElseThrow(() -> new StepFailed("there is no single Redis"));
    try (var connection = redis.address().connect()) {
      connection.flushAll();
    }
    get(view().end());
    return whole();
  }

  private MachineView warm() throws InterruptedException, StepFailed {
    return stack.view().machines().orElseThrow(() -> new StepFailed("nobody answers")).stream()
        .filter(each -> each.state().equals("warm"))
        .findFirst()
        .orElseThrow(() -> new StepFailed("no Machine is warm"));
  }

  private void gone(MachineView victim) throws InterruptedException, StepFailed {
    until(
        machines -> machines.stream().noneMatch(each -> each.id().equals(victim.id())),
        "destroyed");
  }

  private void until(Predicate<List<MachineView>> wanted, String what)
      throws InterruptedException, StepFailed {
    long until = System.nanoTime() + WHOLE_WITHIN.toNanos();
    while (stack.view().machines().filter(wanted).isEmpty()) {
      if (System.nanoTime() - until > 0) throw new StepFailed("the Machine was not " + what);
      Thread.sleep(100);
    }
  }

  private static <T> T get(Future<T> future) throws InterruptedException, StepFailed {
    try {
      return future.toCompletionStage().toCompletableFuture().get(CALL_WITHIN_S, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new StepFailed(String.valueOf(e.getCause()));
    } catch (TimeoutException e) {
      throw new StepFailed("no answer within %d s".formatted(CALL_WITHIN_S));
    }
  }
}
