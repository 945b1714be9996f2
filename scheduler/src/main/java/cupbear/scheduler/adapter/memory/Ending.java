// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.EntryKind;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.MachineState.Cleaning;
import cupbear.scheduler.model.SessionView.Ended;
import cupbear.scheduler.model.SessionView.Stage;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How a session ends, and what becomes of its Machine and its key. */
final class Ending {
  private final Step step;
  private final PoolState pool;

  Ending(Step step) {
    this.step = step;
    this.pool = step.pool;
  }

  /** Over. Its key is spent, its Machine is drained and never serves again without a wipe. */
  void end(SessionRow session, Ended why, Duration kept, String detail) {
    MachineRow machine = heldMachine(session);
    close(session, why, kept);
    if (machine != null) {
      machine.sealed = null;
      machine.become(new MachineState.Draining(step.now, Cleaning.DUE));
    }
    if (session.grant != null) session.eraseCredentials();
    Map<String, String> data = Map.of("ended", why.name().toLowerCase(Locale.ROOT));
    step.note(EntryKind.SESSION_ENDED, session, detail, data);
  }

  /** It goes without anything having been delivered: the key is free, a Machine is warm again. */
  @Nullable MachineRow withdraw(SessionRow session, String why) {
    MachineRow machine = heldMachine(session);
    close(session, Ended.WITHDRAWN, step.rules.withdrawnKept());
    pool.keys.free(session);
    if (session.grant != null) session.eraseCredentials();
    step.note(EntryKind.SESSION_WITHDRAWN, session, why, Map.of());
    if (machine != null) machine.become(new MachineState.Warm(step.now));
    return machine;
  }

  private void close(SessionRow session, Ended why, Duration kept) {
    pool.queue.leave(session.id);
    session.stage = Stage.ENDED;
    session.ended = why;
    pool.sessions.retire(session, step.now.plus(kept));
  }

  /** The Machine that this session holds, by the Machine's own word. */
  @Nullable MachineRow heldMachine(SessionRow session) {
    Grant grant = session.grant;
    if (grant == null) return null;
    MachineRow machine = pool.machine(grant.machine());
    boolean holds =
        machine != null
            && machine.state instanceof MachineState.Assigned assigned
            && assigned.session().equals(session.id)
            && assigned.epoch().equals(grant.epoch());
    return holds ? machine : null;
  }
}
