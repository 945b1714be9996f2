// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.sim.FrontDoor.Ask;
import cupbear.scheduler.sim.FrontDoor.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The gateways and the people behind them: who arrives when, and the wire to the schedulers. */
final class SimGateways {
  private static final List<Caller> CALLERS = List.of(new Caller("gw-a"), new Caller("gw-b"));
  private static final List<String> TENANTS = List.of("acme", "bolt", "cube");

  /** After this a gateway takes a call about a session for lost. */
  private static final Duration CALL_DEADLINE = Duration.ofSeconds(4);

  private final Agenda agenda;
  private final Dice dice;
  private final Trace trace;
  private final SimSettings settings;
  private final Supplier<List<SimScheduler>> schedulers;
  private final Watch watch;
  private final Answers answers;
  private final Terms.Failover failover;
  private final Tally tally;
  private boolean open = true;
  private int visits;

  SimGateways(
      Agenda agenda,
      Trace trace,
      SimSettings settings,
      Supplier<List<SimScheduler>> schedulers,
      Watch watch,
      Answers answers,
      Terms.Failover failover,
      Tally tally) {
    this.agenda = agenda;
    this.dice = Dice.of(settings.seed(), "gateways");
    this.trace = trace;
    this.settings = settings;
    this.schedulers = schedulers;
    this.watch = watch;
    this.answers = answers;
    this.failover = failover;
    this.tally = tally;
  }

  Agenda agenda() {
    return agenda;
  }

  Watch watch() {
    return watch;
  }

  boolean isOpen() {
    return open;
  }

  boolean isReplacing() {
    return failover == Terms.Failover.REPLACE;
  }

  void begin() {
    agenda.after(Duration.ofSeconds(30), this::arrivals);
    agenda.after(settings.closeAt(), () -> open = false);
  }

  /** A Poisson stream, thinned to the rate of the moment. */
  private void arrivals() {
    if (!open) return;
    double peak = settings.demand().peak();
    double seconds = agenda.nanos() / 1e9;
    double share = seconds / settings.closeAt().toSeconds();
    if (dice.chance(settings.demand().rate(share, seconds) / peak)) arrive();
    agenda.after(dice.exponential(Duration.ofNanos((long) (1e9 / peak))), this::arrivals);
  }

  /** Many at once. */
  void storm(int people) {
    for (int i = 0; i < people; i++) agenda.after(dice.millis(0, 3000), this::arrive);
  }

  private void arrive() {
    if (!open) return;
    String key = String.format(Locale.ROOT, "k%05d", ++visits);
    Manners manners = arrives(key);
    Visit visit =
        new Visit(this, dice, manners, dice.pick(CALLERS), dice.pick(TENANTS), key, wish());
    visit.begin();
  }

  /** Somebody asks for a Machine: at the door, or in place of one that is no good. */
  Manners arrives(String key) {
    long left = settings.leaveAt().toNanos() - agenda.nanos();
    Manners manners =
        Manners.thrown(dice, settings.demand().rudeness(), Duration.ofNanos(Math.max(1, left)));
    tally.arrived();
    trace.line("gateway", "arrives", key, "wait", manners.patience().toMillis());
    return manners;
  }

  private List<Region> wish() {
    List<Region> wish = new ArrayList<>();
    if (dice.chance(0.8)) wish.add(dice.pick(SimPool.REGIONS));
    return wish;
  }

  /** Whoever lost a Machine asks for another one. */
  void again(Visit visit) {
    tally.lost();
    if (dice.chance(0.7)) agenda.after(dice.millis(100, 2000), this::arrive);
  }

  /**
   * Sends a session request to some scheduler.
   *
   * @param gone the caller no longer listens to this one
   */
  void assign(Visit visit, Ask ask, BooleanSupplier gone, Consumer<Reply> hear) {
    SimScheduler to = pick();
    Answers.Obligation obligation = answers.asked(visit.key, ask.patience(), to.process());
    agenda.after(
        wire(),
        () ->
            to.process()
                .enter(() -> {
                  obligation.arrived();
                  Runnable hangUp =
                      to.assign(
                          ask,
                          answer -> {
                            obligation.answered(answer);
                            trace.line(to.process().name(), "answers", visit.key, answer);
                            agenda.after(
                                wire(),
                                () -> {
                                  if (!gone.getAsBoolean()) hear.accept(answer);
                                });
                          });
                  listen(to, ask, gone, obligation, hangUp);
                }));
  }

  /** The scheduler notices some time later that a caller is gone. */
  private void listen(
      SimScheduler to, Ask ask, BooleanSupplier gone, Answers.Obligation obligation, Runnable cut) {
    Duration every = Duration.ofMillis(250);
    if (obligation.isOver()) return;
    agenda.after(
        every,
        () -> {
          if (obligation.isOver()) return;
          if (gone.getAsBoolean()) {
            trace.line("gateway", "hangs-up", ask.key());
            obligation.hungUp();
            to.process().enter(cut);
          } else {
            listen(to, ask, gone, obligation, cut);
          }
        });
  }

  /** Makes a call about a session; no answer within the deadline is one as well. */
  void call(String what, Visit visit, Ring ring, Consumer<Reply> hear) {
    SimScheduler to = pick();
    boolean[] heard = {false};
    Consumer<Reply> once =
        answer -> {
          if (heard[0]) return;
          heard[0] = true;
          if (trace.isOn()) trace.line("gateway", what, visit.key, answer);
          hear.accept(answer);
        };
    agenda.after(
        wire(),
        () ->
            to.process()
                .enter(() -> ring.at(to, back -> agenda.after(wire(), () -> once.accept(back)))));
    agenda.after(CALL_DEADLINE, () -> once.accept(new Reply.No("no answer", true, null)));
  }

  /** A call at some scheduler's front door. */
  interface Ring {
    void at(FrontDoor door, Consumer<Reply> back);
  }

  /** Mostly one that is up; a load balancer learns late. */
  private SimScheduler pick() {
    List<SimScheduler> all = schedulers.get();
    List<SimScheduler> up =
        all.stream()
            .filter(each -> each.process().isAlive() && !each.process().isFrozen())
            .toList();
    return up.isEmpty() || dice.chance(0.1) ? dice.pick(all) : dice.pick(up);
  }

  void served(Visit visit, Grant grant, long nanos) {
    trace.line("gateway", "served", visit.key, grant.machine(), grant.session());
    tally.served(nanos);
  }

  void unserved(Visit visit, String how) {
    trace.line("gateway", "unserved", visit.key, how);
    tally.unserved(how);
  }

  void moved(Visit visit, Grant from, Grant to) {
    trace.line("gateway", "moved", visit.key, from.machine(), to.machine());
  }

  void trace(String what, Object... details) {
    trace.line("gateway", what, details);
  }

  private Duration wire() {
    return dice.millis(1, 12);
  }
}
