// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.Moved;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.port.Book;
import cupbear.scheduler.port.StoreTrouble;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * The leader's steps in the store, repeated when their answer got lost. A repeat finds the first
 * one done, and that is as good as doing it.
 */
final class StoreSteps {
  /** The store's own deadlines are shorter; this one is for a store that does not keep them. */
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

  private static final int ATTEMPTS = 4;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);

  private final Book book;
  private final Tenure tenure;
  private final Deadlines deadlines;

  StoreSteps(Book book, Tenure tenure, Deadlines deadlines) {
    this.book = book;
    this.tenure = tenure;
    this.deadlines = deadlines;
  }

  /** Done, or refused with where the Machine stands instead. */
  Future<Moved> move(Move move) {
    return step("move", () -> book.move(tenure.mandate(), move)).map(moved -> asMeant(moved, move));
  }

  /**
   * Still the leader, by the store's own word? Asked before Fly is, because Fly would obey anybody.
   * Vouching for nothing changes nothing, and is refused under an old mandate.
   */
  Future<Void> fence() {
    return step("fence", () -> book.vouch(tenure.mandate(), List.of()));
  }

  <T> Future<T> step(String what, Supplier<Future<T>> call) {
    return step(what, call, ATTEMPTS, FIRST_PAUSE);
  }

  private <T> Future<T> step(String what, Supplier<Future<T>> call, int attempts, Duration pause) {
    if (!tenure.holds()) {
      return Future.failedFuture(
          new StoreTrouble(StoreTrouble.Kind.FENCED, "this replica may not lead any more"));
    }
    return deadlines
        .within(ANSWER_WITHIN, what, call)
        .recover(failure ->
            attempts > 1 && isWorthRepeating(failure)
                ? deadlines
                    .pause(pause)
                    .compose(any -> step(what, call, attempts - 1, pause.multipliedBy(2)))
                : Future.failedFuture(failure));
  }

  private static boolean isWorthRepeating(Throwable failure) {
    if (failure instanceof Deadlines.Late) return true;
    return failure instanceof StoreTrouble trouble
        && switch (trouble.kind()) {
          case UNREACHABLE, UNSURE, OVERLOADED -> true;
          case RECOVERING, FENCED -> false;
        };
  }

  /** Refused because it stands there already: our own first try, or no difference. */
  private static Moved asMeant(Moved moved, Move move) {
    if (!(moved instanceof Moved.Refused refused)) return moved;
    Standing standing = refused.standing();
    boolean forgotten = standing == null && move instanceof Move.Forget;
    boolean there = standing == move.to() && !move.from().contains(move.to());
    return forgotten || there ? new Moved.Done(move.to(), move.to()) : moved;
  }
}
