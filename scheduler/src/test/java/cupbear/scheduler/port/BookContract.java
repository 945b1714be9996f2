// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.MachineState.Cleaning;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.Moved;
import cupbear.scheduler.model.Proof;
import cupbear.scheduler.model.ProveResult;
import cupbear.scheduler.model.Snapshot;
import cupbear.scheduler.model.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where each Machine stands: moves, proofs, mandates. */
abstract class BookContract extends StoreContract {
  private static final Instant LATER_BOOT = BOOT.plusSeconds(3600);

  // ---- moves

  @Test
  @DisplayName(
      "a Machine's whole way: enrolled, booted, staged, proven, retired, parked, restarted")
  void wholeWay() {
    proving("m1", IAD, "7");
    assertThat(book("m1").state())
        .isInstanceOfSatisfying(
            MachineState.Proving.class, proving -> assertThat(proving.staged()).isTrue());
    assertThat(book("m1").address()).isEqualTo("fdaa::m1");
    assertThat(book("m1").proof()).isNull();
    assertThat(prove("m1", IAD)).isEqualTo(new ProveResult.Warm());
    assertThat(move(new Move.Retire(machine("m1"))))
        .isEqualTo(done(Standing.WARM, Standing.DRAINING));
    assertThat(move(new Move.Park(machine("m1"))))
        .isEqualTo(done(Standing.DRAINING, Standing.PARKED));
    assertThat(move(new Move.Restart(machine("m1"), Keep.MANUAL, LATER_BOOT)))
        .isEqualTo(done(Standing.PARKED, Standing.PROVISIONING));
    Booked again = book("m1");
    assertThat(again.keep()).isEqualTo(Keep.MANUAL);
    assertThat(again.bootedAt()).isEqualTo(LATER_BOOT);
    assertThat(again.proof()).isNull();
  }

  @Test
  @DisplayName("what is enrolled is booked as it was said, and provisioning")
  void enrolled() {
    move(new Move.Enrol(booked("m1", IAD, "7", new MachineState.Warm(BOOT))));
    Booked booked = book("m1");
    assertThat(booked.name()).isEqualTo("name-m1");
    assertThat(booked.template().value()).isEqualTo("7");
    assertThat(booked.bootedAt()).isEqualTo(BOOT);
    assertThat(booked.state().standing()).isEqualTo(Standing.PROVISIONING);
    assertThat(find("m1")).isNotNull();
  }

  @Test
  @DisplayName("a stray is adopted as draining, so that it is wiped before it serves")
  void adopted() {
    Booked stray = booked("m1", IAD, "7", new MachineState.Draining(BOOT, Cleaning.NOTHING));
    assertThat(move(new Move.Adopt(stray))).isEqualTo(done(Standing.DRAINING, Standing.DRAINING));
    assertThat(standing("m1")).isEqualTo(Standing.DRAINING);
  }

  @Test
  @DisplayName("a Machine that is in the book is not entered again")
  void notTwice() {
    warm("m1");
    Booked again = booked("m1", IAD, "8", new MachineState.Provisioning(BOOT));
    assertThat(move(new Move.Enrol(again))).isEqualTo(new Moved.Refused(Standing.WARM));
    assertThat(move(new Move.Adopt(again))).isEqualTo(new Moved.Refused(Standing.WARM));
    assertThat(book("m1").template().value()).isEqualTo("7");
  }

  @Test
  @DisplayName("a Machine that is not in the book cannot be moved")
  void notBooked() {
    for (Move move : everyMove("m1", true)) {
      assertThat(move(move)).as(move.toString()).isEqualTo(new Moved.Refused(null));
    }
  }

  @ParameterizedTest(name = "a Machine that is {0} makes exactly the moves that start there")
  @EnumSource(
      names = {"UNKNOWN"},
      mode = EnumSource.Mode.EXCLUDE)
  void movesStartWhereTheySay(Standing standing) {
    int number = 0;
    for (Move shape : everyMove("x", false)) {
      String id = "m" + ++number;
      bring(id, standing);
      Move move = everyMove(id, false).get(number - 1);
      Moved result = move(move);
      if (move.from().contains(standing)) {
        assertThat(result).as(move.toString()).isEqualTo(done(standing, move.to()));
        boolean forgotten = move instanceof Move.Forget;
        assertThat(standing(id)).isEqualTo(forgotten ? null : move.to());
      } else {
        assertThat(result).as(shape.toString()).isEqualTo(new Moved.Refused(standing));
        assertThat(standing(id)).isEqualTo(standing);
      }
      remove(id);
    }
  }

  @Test
  @DisplayName("reserve before you touch: a retired Machine cannot be claimed any more")
  void retiredIsReserved() {
    warm("m1");
    move(new Move.Retire(machine("m1")));
    assertThat(claim(request("k1"))).isInstanceOf(ClaimResult.Queued.class);
  }

  @Test
  @DisplayName(
      "reserve before you touch: a claimed Machine cannot be retired or condemned any more")
  void claimedIsReserved() {
    warm("m1");
    granted("k1");
    assertThat(move(new Move.Retire(machine("m1"))))
        .isEqualTo(new Moved.Refused(Standing.ASSIGNED));
    assertThat(move(new Move.Condemn(machine("m1"))))
        .isEqualTo(new Moved.Refused(Standing.ASSIGNED));
    assertThat(move(new Move.Doubt(machine("m1")))).isEqualTo(new Moved.Refused(Standing.ASSIGNED));
  }

  @Test
  @DisplayName("credentials are for the boot they were given to")
  void stagedForThisBoot() {
    bring("m1", Standing.PROVING);
    assertThat(move(new Move.Stage(machine("m1"), LATER_BOOT, "sealed")))
        .isEqualTo(new Moved.Refused(Standing.PROVING));
  }

  @Test
  @DisplayName("a new boot knows nothing of the credentials and the proof of the one before")
  void newBootIsClean() {
    warm("m1");
    move(new Move.Retire(machine("m1")));
    move(new Move.Park(machine("m1")));
    move(new Move.Restart(machine("m1"), Keep.ALWAYS, LATER_BOOT));
    move(new Move.Boot(machine("m1"), "fdaa::2"));
    assertThat(book("m1").state())
        .isInstanceOfSatisfying(
            MachineState.Proving.class, proving -> assertThat(proving.staged()).isFalse());
    Instant now = store.now();
    Proof proof = new Proof(machine("m1"), LATER_BOOT, now, now);
    assertThat(get(a.book().prove(iad, proof, easy()))).isEqualTo(new ProveResult.Warm());
    Grant grant = granted("k1");
    assertThat(grant.sealed()).isNull();
    assertThat(grant.address()).isEqualTo("fdaa::2");
  }

  @Test
  @DisplayName("a doubted Machine keeps its credentials, since it is the same boot")
  void doubtKeepsCredentials() {
    warm("m1");
    move(new Move.Doubt(machine("m1")));
    assertThat(book("m1").state())
        .isInstanceOfSatisfying(
            MachineState.Proving.class, proving -> assertThat(proving.staged()).isTrue());
    prove("m1", IAD);
    assertThat(granted("k1").sealed()).isEqualTo("sealed-m1");
  }

  @Test
  @DisplayName("how the teardown went is booked, and the Machine goes on draining")
  void cleaned() {
    bring("m1", Standing.DRAINING);
    move(new Move.Clean(machine("m1"), false));
    assertThat(book("m1").state())
        .isInstanceOfSatisfying(
            MachineState.Draining.class,
            draining -> assertThat(draining.cleaning()).isEqualTo(Cleaning.FAILED));
  }

  // ---- proofs

  @Test
  @DisplayName("evidence from another boot proves nothing")
  void proofOfAnotherBoot() {
    bring("m1", Standing.PROVING);
    Instant now = store.now();
    Proof old = new Proof(machine("m1"), BOOT.minusSeconds(60), now, now);
    assertThat(get(a.book().prove(iad, old, easy())))
        .isInstanceOfSatisfying(
            ProveResult.Refused.class,
            refused -> assertThat(refused.standing()).isEqualTo(Standing.PROVING));
    assertThat(standing("m1")).isEqualTo(Standing.PROVING);
  }

  @ParameterizedTest(name = "a Machine that is {0} cannot be proven")
  @EnumSource(
      names = {"UNKNOWN", "PROVING"},
      mode = EnumSource.Mode.EXCLUDE)
  void onlyProvingIsProven(Standing standing) {
    bring("m1", standing);
    assertThat(prove("m1", IAD))
        .isInstanceOfSatisfying(
            ProveResult.Refused.class,
            refused -> assertThat(refused.standing()).isEqualTo(standing));
    assertThat(standing("m1")).isEqualTo(standing);
  }

  @Test
  @DisplayName("a Machine that is not in the book cannot be proven")
  void strangersAreNotProven() {
    assertThat(prove("m1", IAD))
        .isInstanceOfSatisfying(
            ProveResult.Refused.class, refused -> assertThat(refused.standing()).isNull());
  }

  @Test
  @DisplayName("vouching renews the proof of a warm Machine, never with an older one")
  void vouch() {
    warm("m1");
    store.pass(Duration.ofMillis(20));
    Instant now = store.now();
    get(a.book().vouch(iad, List.of(proof("m1", now))));
    assertThat(proofOf("m1").guacdAt()).isEqualTo(now);
    get(a.book().vouch(iad, List.of(proof("m1", now.minusMillis(10)))));
    assertThat(proofOf("m1").guacdAt()).isEqualTo(now);
  }

  @Test
  @DisplayName("vouching passes over what is not warm, another boot and strangers")
  void vouchPassesOver() {
    warm("warm");
    warm("assigned");
    bring("proving", Standing.PROVING);
    Instant before = proofOf("warm").guacdAt();
    store.pass(Duration.ofMillis(20));
    Instant now = store.now();
    Proof another = new Proof(machine("warm"), LATER_BOOT, now, now);
    get(a.book().vouch(iad, List.of(another, proof("stranger"), proof("proving"))));
    assertThat(proofOf("warm").guacdAt()).isEqualTo(before);
    assertThat(standing("proving")).isEqualTo(Standing.PROVING);
    assertThat(find("stranger")).isNull();
  }

  @Test
  @DisplayName("a proof from the future buys no trust")
  void noProofFromTheFuture() {
    proving("m1", IAD, "7");
    Instant ahead = store.now().plus(store.far());
    assertThat(get(a.book().prove(iad, proof("m1", ahead), easy())))
        .isEqualTo(new ProveResult.Warm());
    assertThat(proofOf("m1").guacdAt()).isBefore(ahead);
  }

  // ---- fencing

  @Test
  @DisplayName("every write under an old mandate is refused, and nothing is changed")
  void fenced() {
    warm("m1", "m2");
    Grant grant = granted("k1");
    String idle = grant.machine().value().equals("m1") ? "m2" : "m1";
    Mandate old = iad;
    get(a.leadership().resign(iad, A));
    iad = leads(b, B, IAD);
    MachineId machine = machine(idle);
    assertThat(trouble(a.book().move(old, new Move.Retire(machine))))
        .isEqualTo(StoreTrouble.Kind.FENCED);
    assertThat(trouble(a.book().prove(old, proof(idle), easy())))
        .isEqualTo(StoreTrouble.Kind.FENCED);
    // Also with nothing to vouch for: it is how a leader asks whether it still leads.
    assertThat(trouble(a.book().vouch(old, List.of()))).isEqualTo(StoreTrouble.Kind.FENCED);
    assertThat(trouble(a.book().vouch(old, List.of(proof(idle)))))
        .isEqualTo(StoreTrouble.Kind.FENCED);
    assertThat(trouble(a.book().lose(old, grant.machine(), grant.session(), grant.epoch(), easy())))
        .isEqualTo(StoreTrouble.Kind.FENCED);
    assertThat(trouble(a.book().expire(old, easy()))).isEqualTo(StoreTrouble.Kind.FENCED);
    assertThat(standing(idle)).isEqualTo(Standing.WARM);
    assertThat(standing(grant.machine().value())).isEqualTo(Standing.ASSIGNED);
  }

  @Test
  @DisplayName("a mandate for one region moves nothing in another")
  void otherRegion() {
    warm("m1", LHR, "7");
    assertThat(get(a.book().move(iad, new Move.Retire(machine("m1")))))
        .isEqualTo(new Moved.Refused(Standing.WARM));
    assertThat(standing("m1")).isEqualTo(Standing.WARM);
  }

  // ---- snapshot

  @Test
  @DisplayName("a snapshot shows one region, at the store's time")
  void snapshot() {
    warm("m1");
    warm("m2", LHR, "7");
    Snapshot snapshot = get(b.book().snapshot(POOL, IAD));
    assertThat(snapshot.machines()).extracting(Booked::id).containsExactly(machine("m1"));
    assertThat(Duration.between(snapshot.at(), store.now())).isLessThan(store.far());
  }

  // ---- words

  private Moved move(Move move) {
    return get(a.book().move(iad, move));
  }

  private static Moved done(Standing from, Standing to) {
    return new Moved.Done(from, to);
  }

  private Proof proofOf(String id) {
    Proof proof = book(id).proof();
    if (proof == null) throw new AssertionError(id + " has no proof");
    return proof;
  }

  /** One of each, but for those that enter the book. */
  private static List<Move> everyMove(String id, boolean any) {
    MachineId machine = machine(id);
    return List.of(
        new Move.Restart(machine, Keep.ALWAYS, any ? BOOT : LATER_BOOT),
        new Move.Boot(machine, "fdaa::9"),
        new Move.Stage(machine, BOOT, "sealed"),
        new Move.Doubt(machine),
        new Move.Retire(machine),
        new Move.Condemn(machine),
        new Move.Clean(machine, true),
        new Move.Park(machine),
        new Move.Forget(machine));
  }

  private int brought;

  private void bring(String id, Standing standing) {
    Booked made = booked(id, IAD, "7", new MachineState.Provisioning(BOOT));
    done(new Move.Enrol(made), IAD);
    switch (standing) {
      case PROVISIONING -> {}
      case PROVING -> done(new Move.Boot(machine(id), "fdaa::" + id), IAD);
      case WARM -> {
        done(new Move.Boot(machine(id), "fdaa::" + id), IAD);
        assertThat(prove(id, IAD)).isEqualTo(new ProveResult.Warm());
      }
      case ASSIGNED -> {
        done(new Move.Boot(machine(id), "fdaa::" + id), IAD);
        assertThat(prove(id, IAD)).isEqualTo(new ProveResult.Warm());
        granted("brought-" + ++brought);
      }
      case DRAINING -> {
        done(new Move.Boot(machine(id), "fdaa::" + id), IAD);
        done(new Move.Retire(machine(id)), IAD);
      }
      case PARKED -> {
        done(new Move.Boot(machine(id), "fdaa::" + id), IAD);
        done(new Move.Retire(machine(id)), IAD);
        done(new Move.Park(machine(id)), IAD);
      }
      case CONDEMNED -> done(new Move.Condemn(machine(id)), IAD);
      case UNKNOWN -> throw new AssertionError("only lost data makes a Machine unknown");
    }
  }

  /** Off the shelf, so that it does not come into the way of the next one. */
  private void remove(String id) {
    move(new Move.Condemn(machine(id)));
  }
}
