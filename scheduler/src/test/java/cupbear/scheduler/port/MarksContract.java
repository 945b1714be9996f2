// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Marks;
import cupbear.scheduler.model.Marks.Mark;
import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.ProveResult;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.WaitResult;
import cupbear.scheduler.model.Waiter;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What operators ask for: cordon, drain, pause. */
abstract class MarksContract extends StoreContract {
  @Test
  @DisplayName("a cordoned Machine is not given out any more, from the same step on")
  void cordon() {
    warm("m1", "m2");
    mark(machine("m1"), Mark.CORDON, true);
    assertThat(granted("k1").machine()).isEqualTo(machine("m2"));
    assertThat(claim(request("k2"))).isInstanceOf(ClaimResult.Queued.class);
    assertThat(standing("m1")).isEqualTo(Standing.WARM);
  }

  @Test
  @DisplayName("a Machine that is to be drained is not given out any more either")
  void drainMark() {
    warm("m1");
    mark(machine("m1"), Mark.DRAIN, true);
    assertThat(claim(request("k1"))).isInstanceOf(ClaimResult.Queued.class);
  }

  @Test
  @DisplayName("no longer cordoned and still warm: back on the shelf")
  void uncordon() {
    warm("m1");
    mark(machine("m1"), Mark.CORDON, true);
    mark(machine("m1"), Mark.CORDON, false);
    assertThat(granted("k1").machine()).isEqualTo(machine("m1"));
  }

  @Test
  @DisplayName("no longer cordoned but not warm any more: not on the shelf")
  void uncordonDoubted() {
    warm("m1");
    mark(machine("m1"), Mark.CORDON, true);
    move(new Move.Doubt(machine("m1")));
    mark(machine("m1"), Mark.CORDON, false);
    assertThat(claim(request("k1"))).isInstanceOf(ClaimResult.Queued.class);
  }

  @Test
  @DisplayName("no longer cordoned: the first waiter has it in the same step")
  void uncordonServes() {
    warm("m1");
    mark(machine("m1"), Mark.CORDON, true);
    Waiter waiter = queued("k1");
    mark(machine("m1"), Mark.CORDON, false);
    assertThat(get(a.claims().look(POOL, waiter))).isInstanceOf(WaitResult.Granted.class);
  }

  @Test
  @DisplayName("a cordoned Machine that is proven turns warm, but goes to nobody")
  void cordonedProven() {
    Waiter waiter = queued("k1");
    proving("m1", IAD, "7");
    mark(machine("m1"), Mark.CORDON, true);
    assertThat(prove("m1", IAD)).isEqualTo(new ProveResult.Warm());
    assertThat(get(a.claims().look(POOL, waiter))).isInstanceOf(WaitResult.StillWaiting.class);
  }

  @Test
  @DisplayName("a Machine cordoned in use is not given to the next waiter when taken back")
  void cordonedTakenBack() {
    Waiter waiter = queued("k1");
    Waiter next = queued("k2");
    proving("m1", IAD, "7");
    prove("m1", IAD);
    mark(machine("m1"), Mark.CORDON, true);
    assertThat(get(a.claims().leave(POOL, waiter, WaitResult.Leaving.HUNG_UP)))
        .isEqualTo(new WaitResult.TakenBack(machine("m1")));
    assertThat(get(a.claims().look(POOL, next))).isInstanceOf(WaitResult.StillWaiting.class);
    mark(machine("m1"), Mark.CORDON, false);
    assertThat(get(a.claims().look(POOL, next))).isInstanceOf(WaitResult.Granted.class);
  }

  @ParameterizedTest(
      name = "a region with the mark {0} gives nothing out, and serves when it is off")
  @EnumSource(names = {"CORDON", "DRAIN"})
  void regionClosed(Mark mark) {
    warm("m1", "m2");
    mark(null, mark, true);
    Waiter waiter = queued("k1");
    proving("m3", IAD, "7");
    assertThat(prove("m3", IAD)).isEqualTo(new ProveResult.Warm());
    assertThat(get(a.claims().look(POOL, waiter))).isInstanceOf(WaitResult.StillWaiting.class);
    mark(null, mark, false);
    assertThat(get(a.claims().look(POOL, waiter))).isInstanceOf(WaitResult.Granted.class);
    assertThat(claim(request("k2"))).isInstanceOf(ClaimResult.Granted.class);
  }

  @Test
  @DisplayName("every replica sees the marks of a region, and those alone")
  void marksAreSeen() {
    warm("m1", "m2");
    mark(machine("m1"), Mark.CORDON, true);
    mark(machine("m2"), Mark.DRAIN, true);
    mark(null, Mark.PAUSE, true);
    assertThat(get(b.book().snapshot(POOL, IAD)).marks())
        .isEqualTo(new Marks(Set.of(machine("m2")), Set.of(machine("m1")), false, false, true));
    assertThat(get(b.book().snapshot(POOL, LHR)).marks()).isEqualTo(Marks.NONE);
  }

  @Test
  @DisplayName("the marks of a Machine go when it is forgotten")
  void marksAreForgotten() {
    warm("m1");
    move(new Move.Condemn(machine("m1")));
    mark(machine("m1"), Mark.CORDON, true);
    move(new Move.Forget(machine("m1")));
    assertThat(get(a.book().snapshot(POOL, IAD)).marks()).isEqualTo(Marks.NONE);
  }

  private void move(Move move) {
    done(move, IAD);
  }

  private void mark(@Nullable MachineId machine, Mark mark, boolean on) {
    get(a.book().mark(POOL, IAD, machine, mark, on));
  }
}
