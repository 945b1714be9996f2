// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

/** The name of each {@link Action}, without its data; in the order in which a plan lists them. */
public enum ActionKind {
  LOSE,
  DOUBT,
  BOOK,
  STAGE,
  START,
  CREATE,
  TEARDOWN,
  STOP,
  DRAIN,
  DESTROY,
  ADOPT,
  RETAG;

  /** Do two pending actions of these kinds contradict each other on one Machine? */
  public boolean movesTheMachine() {
    return switch (this) {
      case START, CREATE, TEARDOWN, STOP, DRAIN, BOOK, ADOPT, DESTROY, LOSE -> true;
      case DOUBT, STAGE, RETAG -> false;
    };
  }
}
