// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

/** The name of each {@link Action}, without its data. */
public enum ActionKind {
  LOSE,
  DOUBT,
  STAGE,
  START,
  CREATE,
  TEARDOWN,
  STOP,
  DRAIN,
  PARK,
  DESTROY,
  ADOPT,
  RETAG;

  /** Do two pending actions of these kinds contradict each other on one Machine? */
  public boolean movesTheMachine() {
    return switch (this) {
      case START, CREATE, TEARDOWN, STOP, DRAIN, PARK, ADOPT, DESTROY, LOSE -> true;
      case DOUBT, STAGE, RETAG -> false;
    };
  }
}
