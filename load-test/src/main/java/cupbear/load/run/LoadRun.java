// SPDX-License-Identifier: Apache-2.0
package cupbear.load.run;

import cupbear.load.report.LoadReport;
import cupbear.load.report.LoadReport.Mark;
import cupbear.load.report.LoadReport.Threshold;
import cupbear.load.run.Scenario.Outcome;
import cupbear.load.run.Scenario.Rule;
import cupbear.load.run.Scenario.Size;
import cupbear.load.run.Scenario.Trouble;
import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Plays scenarios one after another against one system. The caller's thread sends users; another
 * one makes the troubles, a third looks on.
 */
final class LoadRun {
  /** How long users queue; the longest that the API takes. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Everybody is told to go at the end; queues and slow answers end within this. */
  private static final Duration GONE_WITHIN = Duration.ofSeconds(60);

  /** Just-in-time compilers are part of no figure. */
  private static final Scenario WARM_UP =
      new Scenario(
          "warm-up",
          "not counted",
          0.2,
          (crowd, size) -> crowd.stream(Duration.ZERO, size.length(), size.perSecond()),
          List.of(),
          List.of());

  private final Wish wish;
  private final Target target;
  private final Progress progress;

  /**
   * What was asked for.
   *
   * @param sessions at once
   * @param duration of a scenario of length 1
   */
  record Wish(int sessions, Duration duration, Duration meanStay, long seed) {}

  /** Is told how it goes, on threads of its own. */
  interface Progress {
    void at(String scenario, Duration since, Tally tally, Ledger ledger);

    void marked(String scenario, Mark mark);
  }

  LoadRun(Wish wish, Target target, Progress progress) {
    this.wish = wish;
    this.target = target;
    this.progress = progress;
  }

  /** So that the first scenario does not measure compilers. */
  void warmUp() throws IOException, InterruptedException {
    LoadReport.Scenario unused = play(WARM_UP);
  }

  LoadReport.Scenario play(Scenario scenario) throws IOException, InterruptedException {
    Size size =
        new Size(wish.sessions(), wish.meanStay(), scaled(wish.duration(), scenario.length()));
    Crowd crowd =
        new Crowd(
            wish.seed() + scenario.name().hashCode(), target.regions(), wish.meanStay(), PATIENCE);
    scenario.shape().fill(crowd, size);
    Ledger ledger = new Ledger();
    Tally tally = new Tally();
    @Nullable Stage stage = target.stage();
    if (stage != null) stage.enter(ledger);
    Promise<Void> over = Promise.promise();
    Generator.Surroundings here =
        new Generator.Surroundings(
            target.vertx(),
            target.gateways().net(),
            target.pool(),
            target.looking(),
            machine -> stage == null ? Optional.empty() : stage.witness(machine),
            ledger,
            tally,
            over.future());
    Generator generator = new Generator(target.gateways(), here, over);
    long startedAt = System.nanoTime();
    Troubles troubles = new Troubles(scenario, size, startedAt);
    try (Lookout lookout = new Lookout(target.view(), startedAt);
        ScheduledExecutorService told = tell(scenario, startedAt, tally, ledger)) {
      generator.send(crowd.schedule(), startedAt);
      troubles.await();
      sleepUntil(startedAt + size.length().toNanos());
      boolean allGone = generator.end(GONE_WITHIN);
      if (stage != null) stage.heal();
      Outcome outcome = new Outcome(tally, stage);
      List<Threshold> thresholds = judge(scenario, outcome);
      if (!allGone) {
        thresholds.add(new Threshold("everybody is gone at the end", "somebody is not", false));
      }
      told.shutdownNow();
      return new LoadReport.Scenario(
          scenario.name(),
          scenario.what(),
          Duration.ofNanos(System.nanoTime() - startedAt),
          tally.counts(),
          thresholds,
          ledger.promises(),
          tally.queue(),
          tally.slices(),
          lookout.seen(),
          troubles.marks());
    }
  }

  private static List<Threshold> judge(Scenario scenario, Outcome outcome)
      throws InterruptedException {
    List<Threshold> all = new ArrayList<>();
    for (Rule each : scenario.rules()) each.judge(outcome).ifPresent(all::add);
    return all;
  }

  private ScheduledExecutorService tell(
      Scenario scenario, long startedAt, Tally tally, Ledger ledger) {
    ScheduledExecutorService thread =
        Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());
    var unused =
        thread.scheduleAtFixedRate(
            () ->
                progress.at(
                    scenario.name(),
                    Duration.ofNanos(System.nanoTime() - startedAt),
                    tally,
                    ledger),
            1,
            1,
            TimeUnit.SECONDS);
    return thread;
  }

  private static Duration scaled(Duration duration, double share) {
    return Duration.ofNanos(Math.round(duration.toNanos() * share));
  }

  private static void sleepUntil(long nanos) throws InterruptedException {
    long left = nanos - System.nanoTime();
    if (left > 0) TimeUnit.NANOSECONDS.sleep(left);
  }

  /** Makes what goes wrong go wrong, each at its time, and remembers when. */
  private final class Troubles {
    private final Scenario scenario;
    private final long startedAt;
    private final List<Mark> marks = Collections.synchronizedList(new ArrayList<>());
    private final AtomicReference<@Nullable Exception> failed = new AtomicReference<>();
    private final Thread thread;

    Troubles(Scenario scenario, Size size, long startedAt) {
      this.scenario = scenario;
      this.startedAt = startedAt;
      this.thread = Thread.ofPlatform().daemon().name("troubles").start(() -> make(size));
    }

    private void make(Size size) {
      try {
        for (Trouble each : scenario.troubles()) {
          sleepUntil(startedAt + size.at(each.at()).toNanos());
          Mark mark = new Mark(Duration.ofNanos(System.nanoTime() - startedAt), each.what());
          marks.add(mark);
          progress.marked(scenario.name(), mark);
          each.deed().on(java.util.Objects.requireNonNull(target.stage()));
        }
      } catch (IOException | RuntimeException e) {
        failed.set(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    void await() throws IOException, InterruptedException {
      thread.join();
      @Nullable Exception why = failed.get();
      if (why != null) {
        throw new IOException("%s could not be played: %s".formatted(scenario.name(), why), why);
      }
    }

    List<Mark> marks() {
      return List.copyOf(marks);
    }
  }
}
