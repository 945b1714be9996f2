// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.loop;

import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Plan;
import cupbear.scheduler.model.Proof;
import cupbear.scheduler.model.RegionReport;
import cupbear.scheduler.model.RegionStatus;
import cupbear.scheduler.port.Probes;
import java.time.Instant;
import java.util.List;

/** Everything a regional pool's loop can ask for. Each one that is awaited ends as an event. */
public sealed interface Effect {
  /** Look at Fly and at the store; ends as {@link Event.Seen}. */
  record Observe() implements Effect {}

  /** Ends as {@link Event.Outcome}. */
  record Perform(Task task) implements Effect {}

  /** Ends as {@link Event.Probed}. */
  record Probe(MachineId machine, Instant bootedAt, String address, Probes.Depth depth)
      implements Effect {}

  /** A proving Machine is ready; ends as {@link Event.Proved}. */
  record Prove(Proof proof) implements Effect {}

  /** Warm Machines are still healthy; ends as {@link Event.Vouched}. */
  record Vouch(List<Proof> proofs) implements Effect {
    public Vouch {
      proofs = List.copyOf(proofs);
    }
  }

  /** Ask Fly about single Machines; ends as {@link Event.Looked}. */
  record Look(List<MachineId> machines) implements Effect {
    public Look {
      machines = List.copyOf(machines);
    }
  }

  /** Hear at once when an assigned Machine goes down; ends as {@link Event.Watched}. */
  record Watch(MachineId machine) implements Effect {}

  /** End what is overdue; ends as {@link Event.Expired}. */
  record Expire() implements Effect {}

  /** The store may have lost data: ask it; ends as {@link Event.StoreLooked}. */
  record LookAtStore(String why) implements Effect {}

  /** What this leader remembers, for a store that lost data; ends as {@link Event.Reported}. */
  record Report(RegionReport report) implements Effect {}

  /** For the journal; not awaited. */
  record Note(List<Entry> entries) implements Effect {
    public Note {
      entries = List.copyOf(entries);
    }
  }

  /** How the region stands after a pass; not awaited. */
  record Publish(RegionStatus status, Plan plan) implements Effect {}

  /** Something that must not happen, happened; not awaited. */
  record Breach(String what) implements Effect {}
}
