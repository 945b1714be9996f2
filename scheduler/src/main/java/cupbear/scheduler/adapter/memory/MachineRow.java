// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.Proof;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.TemplateVersion;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One Machine: the hash {@code machine:<id>}. Changed only inside a {@link Step}. */
final class MachineRow {
  final MachineId id;
  final Region region;
  String name;
  TemplateVersion template;
  Keep keep;
  Instant bootedAt;
  @Nullable String address;
  MachineState state;
  @Nullable Proof proof;

  /** The one-time credentials that lie on the Machine; null before staging and once erased. */
  @Nullable String sealed;

  /** The newest grant ever made of it, so that an older one is known when it shows up. */
  Epoch lastEpoch = new Epoch(0);

  /**
   * When it last changed in the ordinary course. A recovery that doubts a Machine leaves this
   * alone: what a leader remembers is weighed against it.
   */
  Instant changedAt;

  MachineRow(Booked booked, MachineState state, Instant changedAt) {
    this.id = booked.id();
    this.region = booked.region();
    this.name = booked.name();
    this.template = booked.template();
    this.keep = booked.keep();
    this.bootedAt = booked.bootedAt();
    this.address = booked.address();
    this.proof = booked.proof();
    this.state = state;
    this.changedAt = changedAt;
  }

  MachineRow copy() {
    MachineRow copy = new MachineRow(booked(), state, changedAt);
    copy.sealed = sealed;
    copy.lastEpoch = lastEpoch;
    return copy;
  }

  Booked booked() {
    return new Booked(id, name, region, template, keep, bootedAt, address, state, proof);
  }

  Standing standing() {
    return state.standing();
  }

  void become(MachineState next) {
    state = next;
    changedAt = next.since();
  }
}
