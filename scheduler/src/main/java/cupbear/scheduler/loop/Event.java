// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.Listed;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Proof;
import cupbear.scheduler.model.ProveResult;
import cupbear.scheduler.model.Snapshot;
import cupbear.scheduler.model.StoreState;
import cupbear.scheduler.port.Machines.AppList;
import cupbear.scheduler.port.Probes;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Everything a regional pool's loop can hear. */
public sealed interface Event {
  /** Time went by: do what is due. */
  record Beat() implements Event {}

  /**
   * An observation ended; either half may be missing.
   *
   * @param list null when Fly did not answer
   * @param snapshot null when the store did not answer
   * @param reportAsked the store has no book of this region before its leader has reported
   */
  record Seen(@Nullable AppList list, @Nullable Snapshot snapshot, boolean reportAsked)
      implements Event {}

  /** A task came to an end, whichever. */
  record Outcome(Task task, Ending ending) implements Event {}

  /** A probe was answered; the boot it was asked in may be over by now. */
  record Probed(MachineId machine, Instant bootedAt, Probes.Answer answer, Duration took)
      implements Event {}

  /**
   * The store was told that a Machine is ready.
   *
   * @param result null when the store could not answer
   */
  record Proved(Proof proof, @Nullable ProveResult result, String trouble) implements Event {}

  /** Younger proofs were handed in, or not. */
  record Vouched(boolean done) implements Event {}

  /**
   * Fly was asked about single Machines.
   *
   * @param found those it has
   * @param complete all were answered
   */
  record Looked(Map<MachineId, Listed> found, boolean complete) implements Event {
    public Looked {
      found = Map.copyOf(found);
    }
  }

  /**
   * A watch over an assigned Machine ended.
   *
   * @param down what Fly says of it; null when it only ran out or failed
   */
  record Watched(MachineId machine, @Nullable Listed down) implements Event {}

  /** The store ended what was overdue. */
  record Expired(int sessions) implements Event {}

  /** Somebody wrote into the journal. */
  record Happened(Entry entry) implements Event {}

  /** What is declared changed. */
  record Declared(Declaration declaration) implements Event {}

  /** Neighbours lack this many Machines that should stand here instead. */
  record Spilled(int machines) implements Event {}

  /** An external signal announces this many sessions per second for a while. */
  record Hinted(double perSecond, Duration holds) implements Event {}

  /**
   * The store was asked whether it can be believed.
   *
   * @param onRequest this loop had asked, so that what it has heard before is covered
   */
  record StoreLooked(StoreState state, boolean onRequest) implements Event {}

  /** The store heard what this leader remembers. */
  record Reported(StoreState state) implements Event {}

  /** More came in than the inbox holds; these were dropped. */
  record Overflowed(int dropped) implements Event {}

  /** Somebody else leads, or may: nothing more is done. */
  record MandateLost(String why) implements Event {}
}
