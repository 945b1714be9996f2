// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli;

import cupbear.scheduler.cli.PlanCommandField.Wrong;
import cupbear.scheduler.model.ActionKind;
import cupbear.scheduler.model.BootFigures;
import cupbear.scheduler.model.Capacity;
import cupbear.scheduler.model.Demand;
import cupbear.scheduler.model.Desired;
import cupbear.scheduler.model.Expected;
import cupbear.scheduler.model.Listing;
import cupbear.scheduler.model.Machine;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Observed;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.Stray;
import cupbear.scheduler.model.Template;
import cupbear.scheduler.model.TemplateVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An observation as written down for {@code cupbear plan}: all that a plan depends on. */
record PlanCommandInput(Observed observed, Desired desired, Policy policy, Instant now) {
  /** A plan does not depend on what a Machine is made of, only on its version. */
  private static final Template.Guest ANY_GUEST = new Template.Guest("shared", 1, 256);

  static PlanCommandInput read(PlanCommandField root) throws Wrong {
    root.object("now", "pool", "region", "desired", "observed", "max_actions");
    Instant now = root.get("now").instant();
    Desired desired = desired(root.get("desired"));
    Observed observed = observed(root, desired, now);
    return new PlanCommandInput(observed, desired, policy(root.get("max_actions")), now);
  }

  private static Policy policy(PlanCommandField maxActions) throws Wrong {
    Policy.Pass usual = Policy.Pass.DEFAULT;
    int most = maxActions.or(usual.maxActions(), PlanCommandField::count);
    Policy.Pass pass =
        maxActions.checked(
            () -> new Policy.Pass(usual.every(), usual.staleTicks(), most, usual.answerWithin()));
    return Policy.DEFAULT.with(pass);
  }

  private static Desired desired(PlanCommandField field) throws Wrong {
    field.object(
        "template_version",
        "warm_min",
        "warm_max",
        "parked_max",
        "credentials",
        "playbook",
        "after_session",
        "budget",
        "tags",
        "drain",
        "cordoned");
    TemplateVersion version = field.get("template_version").named(TemplateVersion::new);
    return new Desired(
        new Template(version, "any", ANY_GUEST, Map.of()),
        bounds(field),
        field.get("credentials").or(true, PlanCommandField::flag),
        field.get("playbook").or(false, PlanCommandField::flag),
        field
            .get("after_session")
            .or(Desired.AfterSession.RECYCLE, each -> each.word(Desired.AfterSession.class)),
        field.get("budget").orNull(PlanCommandInput::budget),
        field.get("tags").or(Map.of(), PlanCommandField::texts),
        Set.copyOf(field.get("drain").list(PlanCommandInput::id)),
        Set.copyOf(field.get("cordoned").list(PlanCommandInput::id)));
  }

  private static Desired.Bounds bounds(PlanCommandField field) throws Wrong {
    int min = field.get("warm_min").count();
    int max = field.get("warm_max").count();
    int parked = field.get("parked_max").or(max, PlanCommandField::count);
    return field.checked(() -> new Desired.Bounds(min, max, parked));
  }

  private static Desired.Budget budget(PlanCommandField field) throws Wrong {
    field.object("per_hour", "machine_per_hour");
    double perHour = field.get("per_hour").number();
    double price = field.get("machine_per_hour").number();
    return field.checked(() -> new Desired.Budget(perHour, price));
  }

  private static Observed observed(PlanCommandField root, Desired desired, Instant now)
      throws Wrong {
    PoolName pool = root.get("pool").named(PoolName::new);
    Region region = root.get("region").named(Region::new);
    PlanCommandField field =
        root.get("observed")
            .object(
                "listing",
                "machines",
                "strays",
                "foreign",
                "expected",
                "demand",
                "capacity",
                "boot");
    PlanCommandMachine machine = new PlanCommandMachine(pool, region, desired);
    return new Observed(
        pool,
        region,
        field.get("listing").or(Listing.fresh(now), PlanCommandInput::listing),
        distinct(field.get("machines"), machine),
        field.get("strays").list(PlanCommandInput::stray),
        field.get("foreign").or(0, PlanCommandField::count),
        field.get("expected").list(PlanCommandInput::expected),
        field.get("demand").or(Demand.NONE, PlanCommandInput::demand),
        field.get("capacity").or(Capacity.AMPLE, PlanCommandInput::capacity),
        field.get("boot").or(BootFigures.NONE, PlanCommandInput::boot));
  }

  private static List<Machine> distinct(PlanCommandField field, PlanCommandMachine reader)
      throws Wrong {
    Set<MachineId> known = new HashSet<>();
    return field.list(each -> {
      Machine machine = reader.read(each);
      if (!known.add(machine.id())) throw each.get("id").wrong("each Machine once");
      return machine;
    });
  }

  private static Listing listing(PlanCommandField field) throws Wrong {
    field.object("listed_at", "booked_at", "trusted", "known", "lost");
    return new Listing(
        field.get("listed_at").orNull(PlanCommandField::instant),
        field.get("booked_at").orNull(PlanCommandField::instant),
        field.get("trusted").or(true, PlanCommandField::flag),
        field.get("known").or(0, PlanCommandField::count),
        field.get("lost").or(0, PlanCommandField::count));
  }

  private static Stray stray(PlanCommandField field) throws Wrong {
    field.object("id", "name", "first_seen_at");
    return new Stray(
        id(field.get("id")), field.get("name").text(), field.get("first_seen_at").instant());
  }

  private static Expected expected(PlanCommandField field) throws Wrong {
    field.object("action", "on", "until", "held_off");
    return new Expected(
        field.get("action").word(ActionKind.class),
        field.get("on").text(),
        field.get("until").instant(),
        field.get("held_off").or(false, PlanCommandField::flag));
  }

  private static Demand demand(PlanCommandField field) throws Wrong {
    field.object(
        "fast_arrivals",
        "slow_arrivals",
        "hinted_per_second",
        "spilled_in",
        "queue_depth",
        "queue_p95",
        "held_target");
    int fast = field.get("fast_arrivals").or(0, PlanCommandField::count);
    int slow = field.get("slow_arrivals").or(0, PlanCommandField::count);
    double hinted = field.get("hinted_per_second").or(0.0, PlanCommandField::number);
    int spilled = field.get("spilled_in").or(0, PlanCommandField::count);
    int depth = field.get("queue_depth").or(0, PlanCommandField::count);
    Duration p95 = field.get("queue_p95").or(Duration.ZERO, PlanCommandField::duration);
    int held = field.get("held_target").or(0, PlanCommandField::count);
    return field.checked(() -> new Demand(fast, slow, hinted, spilled, depth, p95, held));
  }

  private static Capacity capacity(PlanCommandField field) throws Wrong {
    field.object("failures", "retry_at");
    return new Capacity(
        field.get("failures").count(), field.get("retry_at").orNull(PlanCommandField::instant));
  }

  private static BootFigures boot(PlanCommandField field) throws Wrong {
    field.object("samples", "p95", "p99");
    return new BootFigures(
        field.get("samples").count(), field.get("p95").duration(), field.get("p99").duration());
  }

  private static MachineId id(PlanCommandField field) throws Wrong {
    return field.named(MachineId::new);
  }
}
