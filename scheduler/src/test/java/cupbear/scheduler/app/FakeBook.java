// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

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
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.port.Book;
import cupbear.scheduler.port.StoreTrouble;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A book that agrees to everything, unless a test says otherwise. */
final class FakeBook implements Book {
  final List<Move> moves = new ArrayList<>();
  final Deque<StoreTrouble.Kind> troubles = new ArrayDeque<>();
  StoreTrouble.@Nullable Kind trouble;
  @Nullable Moved refusal;
  int fences;
  LoseResult lost = new LoseResult.Lost();

  @Override
  public Future<Snapshot> snapshot(PoolName pool, Region region) {
    return answer(new Snapshot(Instant.EPOCH, List.of(), 0, 0, List.of(), Marks.NONE));
  }

  @Override
  public Future<Moved> move(Mandate mandate, Move move) {
    moves.add(move);
    return answer(refusal != null ? refusal : new Moved.Done(Standing.WARM, move.to()));
  }

  @Override
  public Future<ProveResult> prove(Mandate mandate, Proof proof, Terms terms) {
    return answer(new ProveResult.Warm());
  }

  @Override
  public Future<Void> vouch(Mandate mandate, List<Proof> proofs) {
    fences++;
    return answer(null);
  }

  @Override
  public Future<LoseResult> lose(
      Mandate mandate, MachineId machine, SessionId session, Epoch epoch, Terms terms) {
    return answer(lost);
  }

  @Override
  public Future<List<SessionView>> expire(Mandate mandate, Terms terms) {
    return answer(List.of());
  }

  @Override
  public Future<Void> mark(
      PoolName pool, Region region, @Nullable MachineId machine, Marks.Mark mark, boolean on) {
    return answer(null);
  }

  private <T> Future<T> answer(@Nullable T value) {
    StoreTrouble.Kind kind = troubles.isEmpty() ? trouble : troubles.removeFirst();
    if (kind == null) return Future.succeededFuture(value);
    return Future.failedFuture(new StoreTrouble(kind, "as the test says"));
  }
}
