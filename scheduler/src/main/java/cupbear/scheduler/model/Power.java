// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

/** What Fly says about a Machine, in our words; Fly's own states stay inside its adapter. */
public enum Power {
  /** Known to the store, missing in the list. One list alone proves nothing: lists lag. */
  ABSENT,
  COMING_UP,
  RUNNING,
  GOING_DOWN,
  STOPPED,
  /** Launch or host failure: it will not come up by itself. */
  FAILED,
  DESTROYED;

  /** Is this a word for "not serving"? {@link #ABSENT} is not: absence is weighed separately. */
  public boolean isDown() {
    return switch (this) {
      case GOING_DOWN, STOPPED, FAILED, DESTROYED -> true;
      case ABSENT, COMING_UP, RUNNING -> false;
    };
  }
}
