// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli;

import cupbear.scheduler.cli.PlanCommandField.Wrong;
import cupbear.scheduler.core.Tags;
import cupbear.scheduler.model.Desired;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Health;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.Machine;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.MachineState.Cleaning;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.Sighting;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.TemplateVersion;
import java.time.Instant;
import java.util.Map;

/** Reads one Machine of an observation. What is left out is as it is on a quiet day. */
record PlanCommandMachine(PoolName pool, Region region, Desired desired) {

  Machine read(PlanCommandField field) throws Wrong {
    field.object("id", "name", "template", "keep", "booted_at", "state", "fly", "health");
    MachineId id = field.get("id").named(MachineId::new);
    MachineState state = state(field.get("state"));
    TemplateVersion template =
        field
            .get("template")
            .or(desired.template().version(), each -> each.named(TemplateVersion::new));
    Keep keep = field.get("keep").or(Keep.ALWAYS, each -> each.word(Keep.class));
    Map<String, String> tags = Tags.of(pool, region, desired, template, keep, state.standing());
    return new Machine(
        id,
        field.get("name").or(id.value(), PlanCommandField::text),
        template,
        keep,
        field.get("booted_at").or(state.since(), PlanCommandField::instant),
        state,
        fly(field.get("fly"), state.standing(), tags),
        field.get("health").or(Health.UNKNOWN, PlanCommandMachine::health));
  }

  private static MachineState state(PlanCommandField field) throws Wrong {
    field.object("standing", "since", "staged", "session", "epoch", "cleaning", "lost");
    Standing standing = field.get("standing").word(Standing.class);
    Instant since = field.get("since").instant();
    return switch (standing) {
      case PROVISIONING -> new MachineState.Provisioning(since);
      case PROVING ->
          new MachineState.Proving(since, field.get("staged").or(false, PlanCommandField::flag));
      case WARM -> new MachineState.Warm(since);
      case ASSIGNED ->
          new MachineState.Assigned(
              since,
              field.get("session").named(SessionId::new),
              new Epoch(field.get("epoch").count()));
      case DRAINING ->
          new MachineState.Draining(
              since, field.get("cleaning").or(Cleaning.NOTHING, each -> each.word(Cleaning.class)));
      case PARKED -> new MachineState.Parked(since);
      case CONDEMNED ->
          new MachineState.Condemned(since, field.get("lost").or(false, PlanCommandField::flag));
      case UNKNOWN -> new MachineState.Unknown(since);
    };
  }

  private static Sighting fly(PlanCommandField field, Standing standing, Map<String, String> tags)
      throws Wrong {
    if (!field.isPresent()) return quiet(standing, tags);
    field.object(
        "power",
        "since",
        "missed_lists",
        "absent_since",
        "host_doubtful_since",
        "exited_at",
        "tags");
    return new Sighting(
        field.get("power").or(quiet(standing), each -> each.word(Power.class)),
        field.get("since").orNull(PlanCommandField::instant),
        field.get("missed_lists").or(0, PlanCommandField::count),
        field.get("absent_since").orNull(PlanCommandField::instant),
        field.get("host_doubtful_since").orNull(PlanCommandField::instant),
        field.get("exited_at").orNull(PlanCommandField::instant),
        field.get("tags").or(tags, PlanCommandField::texts));
  }

  private static Sighting quiet(Standing standing, Map<String, String> tags) {
    return new Sighting(quiet(standing), null, 0, null, null, null, tags);
  }

  private static Power quiet(Standing standing) {
    return switch (standing) {
      case PROVISIONING -> Power.COMING_UP;
      case PARKED -> Power.STOPPED;
      case PROVING, WARM, ASSIGNED, DRAINING, CONDEMNED, UNKNOWN -> Power.RUNNING;
    };
  }

  private static Health health(PlanCommandField field) throws Wrong {
    field.object("strikes", "passes", "proven", "proven_at", "probed_at");
    return new Health(
        field.get("strikes").or(0, PlanCommandField::count),
        field.get("passes").or(0, PlanCommandField::count),
        field.get("proven").or(false, PlanCommandField::flag),
        field.get("proven_at").orNull(PlanCommandField::instant),
        field.get("probed_at").orNull(PlanCommandField::instant));
  }
}
