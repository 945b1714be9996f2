// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.port.StoreTrouble;
import java.util.Optional;

/** Why the store gave no answer, for those who serve callers and do not know its ports. */
public enum Trouble {
  /** Not carried out. */
  UNREACHABLE,
  /** Nobody knows whether it was carried out. */
  UNSURE,
  /** Not carried out: too much is waiting already. */
  OVERLOADED,
  /** Not carried out: the store lost data and is being rebuilt. */
  RECOVERING;

  /** Empty when the failure is not the store's: a bug. */
  public static Optional<Trouble> of(Throwable failure) {
    if (failure instanceof Deadlines.Late) return Optional.of(UNSURE);
    if (!(failure instanceof StoreTrouble trouble)) return Optional.empty();
    return Optional.of(
        switch (trouble.kind()) {
          case UNREACHABLE, FENCED -> UNREACHABLE;
          case UNSURE -> UNSURE;
          case OVERLOADED -> OVERLOADED;
          case RECOVERING -> RECOVERING;
        });
  }
}
