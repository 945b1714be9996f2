// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.LoseResult;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Marks;
import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.Moved;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Proof;
import cupbear.scheduler.model.ProveResult;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionView;
import cupbear.scheduler.model.Snapshot;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.port.Book;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A book like another one, but for what is overridden. */
class OtherBook implements Book {
  private final Book real;

  OtherBook(Book real) {
    this.real = real;
  }

  /** The mandate under which a write is really done. */
  Mandate sign(Mandate given) {
    return given;
  }

  @Override
  public Future<Snapshot> snapshot(PoolName pool, Region region) {
    return real.snapshot(pool, region);
  }

  @Override
  public Future<Moved> move(Mandate mandate, Move move) {
    return real.move(sign(mandate), move);
  }

  @Override
  public Future<ProveResult> prove(Mandate mandate, Proof proof, Terms terms) {
    return real.prove(sign(mandate), proof, terms);
  }

  @Override
  public Future<Void> vouch(Mandate mandate, List<Proof> proofs) {
    return real.vouch(sign(mandate), proofs);
  }

  @Override
  public Future<LoseResult> lose(
      Mandate mandate, MachineId machine, SessionId session, Epoch epoch, Terms terms) {
    return real.lose(sign(mandate), machine, session, epoch, terms);
  }

  @Override
  public Future<List<SessionView>> expire(Mandate mandate, Terms terms) {
    return real.expire(sign(mandate), terms);
  }

  @Override
  public Future<Void> mark(
      PoolName pool, Region region, @Nullable MachineId machine, Marks.Mark mark, boolean on) {
    return real.mark(pool, region, machine, mark, on);
  }
}
