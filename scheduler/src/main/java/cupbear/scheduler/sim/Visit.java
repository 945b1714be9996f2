// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionResult;
import cupbear.scheduler.model.SessionView;
import cupbear.scheduler.sim.FrontDoor.Ask;
import cupbear.scheduler.sim.FrontDoor.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One person behind a gateway, from the first request to the end of the session, and what they
 * believe about it. Belief is what the promises are about: a session lives from the moment its
 * answer is heard until it is released, told to be over, or past the end of the lease that was last
 * heard of.
 */
final class Visit {
  private static final int ATTEMPTS_MOST = 5;
  private static final Duration RENEW_EVERY = Duration.ofSeconds(20);

  /** Longer than the server may take: whoever waits longer asks again. */
  private static final Duration PATIENCE_EXTRA = Duration.ofSeconds(6);

  private final SimGateways gateways;
  private final Dice dice;
  private final Manners manners;
  final String key;
  private final Ask ask;
  private final long arrivedAt;

  private int attempts;
  private int turn;
  private boolean askingOver;
  private @Nullable Grant grant;
  private @Nullable Instant believedUntil;
  private boolean over;
  private boolean ending;
  private long servedAt;

  /** The same person on the Machine that was asked for in place of this one. */
  private @Nullable Visit next;

  Visit(
      SimGateways gateways,
      Dice dice,
      Manners manners,
      Caller caller,
      String tenant,
      String key,
      List<Region> regions) {
    this(
        gateways,
        dice,
        manners,
        new Ask(caller, tenant, key, "body-" + key, regions, manners.patience()));
  }

  private Visit(SimGateways gateways, Dice dice, Manners manners, Ask ask) {
    this.gateways = gateways;
    this.dice = dice;
    this.manners = manners;
    this.key = ask.key();
    this.ask = ask;
    this.arrivedAt = gateways.agenda().nanos();
  }

  /** Does its holder believe that the session lives? */
  boolean isLive(Instant now) {
    return grant != null && !over && believedUntil != null && now.isBefore(believedUntil);
  }

  /** When it first heard that it has a Machine. */
  long servedAt() {
    return servedAt;
  }

  /** When the session that it holds now was given this Machine. */
  @Nullable Instant grantedAt() {
    return grant == null ? null : grant.grantedAt();
  }

  @Nullable MachineId machine() {
    return grant == null ? null : grant.machine();
  }

  @Nullable SessionId session() {
    return grant == null ? null : grant.session();
  }

  void begin() {
    attempt();
    if (manners.asksTwice()) askAgainAtOnce(turn);
    if (manners.hangsUp()) {
      gateways
          .agenda()
          .after(
              dice.millis(50, 4000),
              () -> {
                if (grant == null) stopAsking("hung-up");
              });
    }
  }

  private void attempt() {
    if (askingOver) return;
    if (attempts++ >= ATTEMPTS_MOST || !gateways.isOpen()) {
      stopAsking("gave-up");
      return;
    }
    turn++;
    send(turn);
    int mine = turn;
    gateways
        .agenda()
        .after(
            manners.patience().plus(PATIENCE_EXTRA),
            () -> {
              if (mine == turn && !askingOver) attempt();
            });
  }

  private void send(int mine) {
    gateways.assign(this, ask, () -> askingOver || mine != turn, answer -> hear(mine, answer));
  }

  /** A proxy repeats the request: half of them listen to the end, half hang up once served. */
  private void askAgainAtOnce(int mine) {
    boolean patient = dice.chance(0.5);
    gateways.assign(
        this,
        ask,
        () -> patient ? askingOver && grant == null : askingOver,
        answer -> {
          if (answer instanceof Reply.Granted) hear(mine, answer);
        });
  }

  private void stopAsking(String how) {
    if (askingOver) return;
    askingOver = true;
    turn++;
    gateways.unserved(this, how);
  }

  private void hear(int mine, Reply answer) {
    switch (answer) {
      case Reply.Granted granted -> granted(mine, granted.grant());
      case Reply.No no -> {
        if (askingOver || mine != turn) return;
        if (!no.again()) {
          stopAsking(no.why());
          return;
        }
        turn++;
        Duration wait = no.after() == null ? dice.millis(500, 2000) : no.after();
        gateways.agenda().after(wait, this::attempt);
      }
      case Reply.Told told -> throw new IllegalStateException("told " + told + " on a request");
      case Reply.Replaced told -> throw new IllegalStateException(told + " on a request");
    }
  }

  private void granted(int mine, Grant heard) {
    if (grant != null) {
      gateways.watch().keyAnswered(this, heard);
      return;
    }
    // Whoever hung up, or asked anew meanwhile, does not hear the answer to the older call.
    if (askingOver || mine != turn) return;
    askingOver = true;
    turn++;
    grant = heard;
    servedAt = gateways.agenda().nanos();
    believedUntil = heard.confirmBy();
    gateways.watch().keyAnswered(this, heard);
    gateways.served(this, heard, gateways.agenda().nanos() - arrivedAt);
    if (manners.replays()) {
      gateways.agenda().after(dice.millis(10, 60_000), this::replay);
    }
    use();
  }

  /** The same request again, long after it was answered. */
  private void replay() {
    gateways.assign(
        this,
        ask,
        () -> false,
        answer -> {
          boolean known = answer instanceof Reply.Granted;
          if (known) gateways.watch().keyAnswered(this, ((Reply.Granted) answer).grant());
        });
  }

  private void use() {
    gateways.agenda().after(manners.stays(), this::end);
    if (!manners.connects()) return;
    gateways
        .agenda()
        .after(dice.millis(100, 4000), manners.renewsOnly() ? this::renew : this::confirm);
  }

  private void confirm() {
    if (isDone()) return;
    Grant mine = held();
    gateways.call(
        "confirm",
        this,
        (door, back) -> door.confirm(ask.caller(), mine.session(), back),
        answer -> told(answer, this::confirm));
  }

  private void renew() {
    if (isDone()) return;
    Grant mine = held();
    gateways.call(
        "renew",
        this,
        (door, back) -> door.renew(ask.caller(), mine.session(), mine.epoch(), mine, back),
        answer -> told(answer, this::renew));
  }

  private void told(Reply answer, Runnable again) {
    if (isDone()) return;
    if (!(answer instanceof Reply.Told told)) {
      gateways.agenda().after(dice.millis(500, 1500), again);
      return;
    }
    switch (told.result()) {
      case SessionResult.Alive alive -> alive(alive.session());
      case SessionResult.Lost any -> lost(any.session());
      case SessionResult.Over any -> finish("over " + any.why());
      case SessionResult.Stale any -> finish("stale");
      case SessionResult.NotFound any -> finish("not-found");
    }
  }

  private void alive(SessionView session) {
    Grant newest = session.grant();
    if (newest != null && !newest.machine().equals(held().machine())) {
      gateways.moved(this, held(), newest);
      grant = newest;
      gateways.watch().delivered(this, newest);
    } else if (newest != null) {
      gateways.watch().epochHeard(held(), newest);
      grant = newest;
    }
    if (session.leaseUntil() != null) believedUntil = session.leaseUntil();
    gateways.agenda().after(RENEW_EVERY.minus(dice.millis(0, 3000)), this::renew);
  }

  /** Under "replace" it may go on as soon as there is another Machine; else one asks anew. */
  private void lost(SessionView session) {
    boolean waits = session.ended() == null && gateways.isReplacing();
    if (waits) {
      believedUntil = Instant.MIN;
      gateways.agenda().after(dice.millis(1000, 3000), this::renew);
      return;
    }
    finish("lost");
    gateways.again(this);
  }

  private void end() {
    if (isDone()) return;
    ending = true;
    gateways.trace("ends", key, manners.vanishes() ? "vanishes" : "");
    if (manners.vanishes()) return;
    over = true;
    boolean another = manners.blames() && manners.wantsAnother() && gateways.isOpen();
    if (another) next = successor();
    letGo(0);
    // A proxy repeats the call: failing twice must not take two Machines.
    if (another && manners.replays()) letGo(0);
  }

  /** The scheduler derives the key of the new session from that of the old one. */
  private Visit successor() {
    Ask again =
        new Ask(
            ask.caller(),
            ask.tenant(),
            ask.key() + "-r",
            ask.body(),
            List.of(held().region()),
            ask.patience());
    return new Visit(gateways, dice, gateways.arrives(again.key()), again);
  }

  private void letGo(int tries) {
    gateways.call(
        manners.blames() ? "fail" : "release",
        this,
        (door, back) -> {
          Grant mine = held();
          if (manners.blames())
            door.fail(ask.caller(), mine.session(), mine.epoch(), next != null, back);
          else door.release(ask.caller(), mine.session(), back);
        },
        answer -> {
          if (answer instanceof Reply.Replaced replaced) replaced(replaced.instead());
          boolean heard = !(answer instanceof Reply.No);
          if (!heard && tries < 3) {
            gateways.agenda().after(dice.millis(500, 3000), () -> letGo(tries + 1));
          }
        });
  }

  private void replaced(Reply instead) {
    if (next == null) return;
    if (instead instanceof Reply.Granted granted) next.granted(next.turn, granted.grant());
    else if (instead instanceof Reply.No no) next.stopAsking(no.why());
  }

  private void finish(String why) {
    over = true;
    gateways.trace("session-over", key, why);
  }

  /** Whoever vanished asks for nothing any more, though the session lives until its lease ends. */
  private boolean isDone() {
    return over || ending;
  }

  private Grant held() {
    if (grant == null) throw new IllegalStateException(key + " holds nothing");
    return grant;
  }

  @Override
  public String toString() {
    return key + (grant == null ? "" : " (" + grant + ")");
  }
}
