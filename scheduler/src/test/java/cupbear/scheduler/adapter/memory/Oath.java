// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.core.Lifecycle;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionView.Ended;
import cupbear.scheduler.model.SessionView.Stage;
import cupbear.scheduler.model.Standing;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the store promises, checked against all it holds after every step. */
final class Oath {
  private final Walker walker;
  private Map<MachineId, Standing> before = new TreeMap<>();
  private long epochBefore;
  private long epochEver;

  Oath(Walker walker) {
    this.walker = walker;
  }

  void before() {
    before = standings();
    epochBefore = pool().epoch;
  }

  /** The store lost data: what it held before says nothing of what it holds now. */
  void lost() {
    before = standings();
    epochBefore = pool().epoch;
  }

  void after(String did) {
    machinesAndSessionsAgree();
    shelfHoldsTheWarmOnes();
    queueHoldsTheWaiting();
    nobodyWaitsForWhatIsThere();
    tenantsAreServedInOrder();
    keysAndSessionsAreOneToOne();
    unknownOnesAreTracked();
    standingsChangeLegally(did);
    grantsAreOfWarmMachinesNobodyUses(did);
  }

  /** Nobody takes a Machine out of service that a gateway uses; a dead one can go. */
  void moved(Move move) {
    boolean takesAway =
        move.to() == Standing.DRAINING
            || move.to() == Standing.PARKED
            || move.to() == Standing.CONDEMNED;
    if (!takesAway || walker.dead.contains(move.machine())) return;
    for (Grant held : walker.gateways.held()) {
      if (hadItsTime(held.session())) continue;
      assertThat(held.machine())
          .as("stopped under a live session: " + held + " by " + move)
          .isNotEqualTo(move.machine());
    }
  }

  private boolean hadItsTime(SessionId id) {
    SessionRow session = pool().sessions.find(id);
    return session != null && session.ended == Ended.MAX_DURATION;
  }

  void nobodyIsLeft() {
    assertThat(pool().sessions.live()).isEmpty();
    assertThat(pool().queue.size()).isZero();
    assertThat(standings().values()).doesNotContain(Standing.ASSIGNED, Standing.UNKNOWN);
  }

  private PoolState pool() {
    return walker.store.pool(Walker.POOL);
  }

  private Map<MachineId, Standing> standings() {
    Map<MachineId, Standing> found = new TreeMap<>();
    rows().forEach(row -> found.put(row.id, row.standing()));
    return found;
  }

  private List<MachineRow> rows() {
    List<MachineRow> rows = new ArrayList<>();
    for (Region region : pool().regions()) rows.addAll(pool().machines(region));
    return rows;
  }

  private void machinesAndSessionsAgree() {
    Map<MachineId, SessionId> byMachine = new TreeMap<>();
    for (MachineRow row : rows()) {
      if (!(row.state instanceof MachineState.Assigned assigned)) continue;
      byMachine.put(row.id, assigned.session());
      SessionRow session = pool().sessions.find(assigned.session());
      assertThat(session).as("session of " + row.id).isNotNull();
      if (session == null) continue;
      assertThat(session.hasMachine()).as(row.id + " has a live session").isTrue();
      assertThat(session.mustGrant().machine()).isEqualTo(row.id);
      assertThat(session.epoch()).isEqualTo(assigned.epoch());
    }
    for (SessionRow session : pool().sessions.live()) {
      if (!session.hasMachine()) continue;
      assertThat(byMachine).containsEntry(session.mustGrant().machine(), session.id);
    }
  }

  private void shelfHoldsTheWarmOnes() {
    Set<MachineId> warm = new TreeSet<>();
    for (MachineRow row : rows()) {
      boolean free = row.standing() == Standing.WARM && !pool().marks.isKeptBack(row.id);
      if (free) warm.add(row.id);
    }
    assertThat(pool().shelf.machines()).as("the shelf").isEqualTo(warm);
  }

  private void queueHoldsTheWaiting() {
    Set<SessionId> queued = new TreeSet<>(pool().queue.inOrder());
    for (SessionRow session : pool().sessions.live()) {
      boolean in = queued.remove(session.id);
      if (session.stage == Stage.WAITING) assertThat(in).as(session.id + " waits").isTrue();
      else if (session.stage != Stage.LOST) assertThat(in).as(session.id + " waits").isFalse();
    }
    assertThat(queued).as("waiters without a session").isEmpty();
  }

  private void nobodyWaitsForWhatIsThere() {
    Generation generation = pool().generation;
    if (generation == null || generation.open) return;
    for (Region region : pool().regions()) {
      boolean served =
          pool().marks.isClosed(region) || pool().shelf.best(region, walker.now).isEmpty();
      if (!served) assertThat(pool().queue.waiting(region)).as("waiters in " + region).isZero();
    }
  }

  private void tenantsAreServedInOrder() {
    Map<String, SessionRow> last = new TreeMap<>();
    for (SessionId id : pool().queue.inOrder()) {
      SessionRow row = pool().sessions.find(id);
      if (row == null || row.stage != Stage.WAITING) continue;
      SessionRow earlier = last.put(row.tenant, row);
      if (earlier == null) continue;
      assertThat(row.waitingSince)
          .as("order of " + row.tenant)
          .isAfterOrEqualTo(earlier.waitingSince);
    }
  }

  private void keysAndSessionsAreOneToOne() {
    Set<String> seen = new HashSet<>();
    for (SessionRow session : pool().sessions.live()) {
      assertThat(seen.add(session.caller + " " + session.key)).as("key of " + session.id).isTrue();
      Keys.Used used = pool().keys.find(session.caller, session.key);
      assertThat(used).as("key of " + session.id).isNotNull();
      if (used != null) assertThat(used.session()).isEqualTo(session.id);
    }
  }

  private void unknownOnesAreTracked() {
    for (MachineRow row : rows()) {
      boolean tracked = pool().unknown.contains(row.id);
      assertThat(tracked)
          .as(row.id + " " + row.state)
          .isEqualTo(row.standing() == Standing.UNKNOWN);
    }
  }

  /** While time passes, leaders report; what they remember is written down as it is. */
  private void standingsChangeLegally(String did) {
    Map<MachineId, Standing> now = standings();
    for (Map.Entry<MachineId, Standing> each : before.entrySet()) {
      Standing to = now.get(each.getKey());
      if (to == null) {
        assertThat(each.getValue()).as("forgotten: " + each.getKey()).isEqualTo(Standing.CONDEMNED);
      } else {
        boolean rewritten = did.startsWith("pass") && to != Standing.WARM;
        assertThat(Lifecycle.allows(each.getValue(), to) || rewritten)
            .as("%s from %s to %s by %s", each.getKey(), each.getValue(), to, did)
            .isTrue();
      }
    }
  }

  /** Each new grant is of a Machine that was warm, or turned so in this step, and free in truth. */
  private void grantsAreOfWarmMachinesNobodyUses(String did) {
    // While time passes, and on a renewal, grants come back that the store had lost.
    boolean mayPutBack = did.startsWith("pass") || did.startsWith("renew");
    for (SessionRow session : pool().sessions.live()) {
      Grant grant = session.grant;
      if (grant == null || !session.hasMachine() || mayPutBack) continue;
      if (grant.epoch().value() > epochBefore) freshGrant(grant, did);
    }
    epochEver = Math.max(epochEver, pool().epoch);
  }

  private void freshGrant(Grant grant, String did) {
    assertThat(grant.epoch().value()).as("epoch of " + grant).isGreaterThan(epochEver);
    Standing was = before.get(grant.machine());
    boolean turned = did.startsWith("prove") && was == Standing.PROVING;
    boolean handed = did.startsWith("leave") && was == Standing.ASSIGNED;
    assertThat(was == Standing.WARM || turned || handed).as(grant + " was " + was).isTrue();
    for (Grant held : walker.gateways.held()) {
      if (held.session().equals(grant.session())) continue;
      assertThat(held.machine())
          .as("two sessions: " + held + " and " + grant)
          .isNotEqualTo(grant.machine());
    }
  }
}
