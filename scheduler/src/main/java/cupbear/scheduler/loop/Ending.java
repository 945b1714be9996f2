// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.port.FlyTrouble;
import cupbear.scheduler.port.StoreTrouble;
import org.jspecify.annotations.Nullable;

/** How a task ended. */
public sealed interface Ending {
  /** One word for metrics and the journal. */
  String word();

  /**
   * Accepted; its effect will show.
   *
   * @param made the Machine that there was not before; null for everything but a create
   */
  record Done(@Nullable MachineId made) implements Ending {
    public Done() {
      this(null);
    }

    @Override
    public String word() {
      return "done";
    }
  }

  /** The store said no: the Machine is not where the task starts from. Fly was not asked. */
  record Refused(String why) implements Ending {
    @Override
    public String word() {
      return "refused";
    }
  }

  /** Fly did not do it; {@link FlyTrouble.Kind#UNSURE}: may have done it. */
  record FlyFailed(FlyTrouble.Kind kind, String why) implements Ending {
    @Override
    public String word() {
      return kind == FlyTrouble.Kind.UNSURE ? "unsure" : "fly_failed";
    }
  }

  /** The store did not answer as it should; what was done at Fly before that stays done. */
  record StoreFailed(StoreTrouble.Kind kind, String why) implements Ending {
    @Override
    public String word() {
      return kind == StoreTrouble.Kind.UNSURE ? "unsure" : "store_failed";
    }
  }

  /** A command in the Machine failed. */
  record CommandFailed(String why) implements Ending {
    @Override
    public String word() {
      return "command_failed";
    }
  }

  /** No answer in time: it may have been done. */
  record TimedOut(String why) implements Ending {
    @Override
    public String word() {
      return "timed_out";
    }
  }

  /** Not tried: this replica may not be the leader any more. */
  record NotLeading() implements Ending {
    @Override
    public String word() {
      return "not_leading";
    }
  }
}
