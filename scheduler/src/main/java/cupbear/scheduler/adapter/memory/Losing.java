// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.EntryKind;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.LoseResult;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.MachineState.Assigned;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionView.Ended;
import cupbear.scheduler.model.SessionView.Stage;
import cupbear.scheduler.model.Terms;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The Machine of a live session died: {@code lose.lua}. */
final class Losing {
  private final Step step;
  private final PoolState pool;

  Losing(Step step) {
    this.step = step;
    this.pool = step.pool;
  }

  LoseResult lose(@Nullable MachineRow machine, SessionId id, Epoch epoch, Terms terms) {
    SessionRow session = pool.sessions.find(id);
    boolean still =
        machine != null
            && machine.state instanceof Assigned assigned
            && assigned.session().equals(id)
            && assigned.epoch().equals(epoch);
    if (machine == null || !still) return new LoseResult.Moved();
    machine.sealed = null;
    machine.become(new MachineState.Condemned(step.now, true));
    step.note(EntryKind.MACHINE_CONDEMNED, machine, "it died under its session");
    if (session == null || !session.hasMachine()) return new LoseResult.Lost();
    return switch (terms.failover()) {
      case REPLACE -> replace(session, terms);
      case NOTIFY -> lost(session);
      case NONE -> {
        String detail = "its Machine died";
        new Ending(step).end(session, Ended.MACHINE_LOST, terms.keyKept(), detail);
        yield new LoseResult.Lost();
      }
    };
  }

  private LoseResult replace(SessionRow session, Terms terms) {
    lost(session);
    session.waitingSince = step.now;
    Granting granting = new Granting(step);
    Optional<MachineRow> other = granting.choose(session.regions);
    if (other.isPresent()) {
      return new LoseResult.Replaced(granting.grant(session, other.get(), terms));
    }
    pool.queue.joinFirst(session.id, session.tenant, session.regions);
    return new LoseResult.Lost();
  }

  /** The lease goes on as it is: by its end the gateway has heard, or is gone. */
  private LoseResult lost(SessionRow session) {
    session.stage = Stage.LOST;
    session.lostAt = step.now;
    session.eraseCredentials();
    step.note(EntryKind.SESSION_LOST, session, "its Machine died", Map.of());
    return new LoseResult.Lost();
  }
}
