// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import java.util.Locale;

/** What a Machine's {@code state} can say. */
enum State {
  CREATED,
  STARTING,
  STARTED,
  STOPPING,
  STOPPED,
  SUSPENDING,
  SUSPENDED,
  RESTARTING,
  REPLACING,
  LAUNCH_FAILED,
  FAILED,
  DESTROYING,
  DESTROYED;

  private final String wireName = name().toLowerCase(Locale.ROOT);

  String wireName() {
    return wireName;
  }

  /** Nothing happens from here on by itself; {@code created} always leads further here. */
  boolean isSettled() {
    return switch (this) {
      case STARTED, STOPPED, SUSPENDED, FAILED, DESTROYED -> true;
      case CREATED,
          STARTING,
          STOPPING,
          SUSPENDING,
          RESTARTING,
          REPLACING,
          LAUNCH_FAILED,
          DESTROYING ->
          false;
    };
  }

  boolean isGone() {
    return this == DESTROYING || this == DESTROYED || this == LAUNCH_FAILED;
  }
}
