// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.Order;
import java.time.Instant;

/** An action of a plan with everything that is needed to carry it out. */
public sealed interface Task {
  Action action();

  /**
   * Fly makes it, then the store enrols it.
   *
   * @param nameAskedAt when a Machine of this name was first asked for since there was none: one
   *     that is older is not what came of a lost answer
   */
  record Make(Action.Create action, Order order, Instant askedAt, Instant nameAskedAt)
      implements Task {}

  /** Fly starts it, then the store books the new boot. */
  record Start(Action.Start action, Instant askedAt) implements Task {}

  /**
   * Credentials go onto it, then the store learns them sealed.
   *
   * @param bootedAt the boot they are made for
   */
  record Stage(Action.Stage action, Instant bootedAt) implements Task {}

  /** The store moves it, and that is all. */
  record Shift(Action action, Move move) implements Task {}

  record Teardown(Action.Teardown action) implements Task {}

  record Stop(Action.Stop action) implements Task {}

  /** The store condemns it (or has), then Fly destroys it. */
  record Destroy(Action.Destroy action) implements Task {}

  /** The store condemns it and tells its session. */
  record Lose(Action.Lose action) implements Task {}

  record Retag(Action.Retag action) implements Task {}
}
