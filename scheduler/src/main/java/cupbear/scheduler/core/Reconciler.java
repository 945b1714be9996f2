// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.Counts;
import cupbear.scheduler.model.Desired;
import cupbear.scheduler.model.Finding;
import cupbear.scheduler.model.Observed;
import cupbear.scheduler.model.Plan;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The heart: what to do now for one regional pool, and why. A function of its arguments: the same
 * observation gives the same plan in the same order, on any machine.
 */
public final class Reconciler {
  private Reconciler() {}

  public static Plan plan(Observed seen, Desired desired, Policy policy, Instant now) {
    Scene scene = Scene.of(seen, desired, policy, now);
    Judge judge = new Judge(scene);
    Census census = Census.of(scene, judge);
    Target target = target(scene, census.counts());
    Optional<Finding> blind = isViewUnusable(scene);
    if (blind.isPresent()) {
      return new Plan(target, census.counts(), List.of(), List.of(blind.get()), 0, false);
    }
    Draft draft = new Draft(scene);
    int unmet = write(scene, judge, census, target, draft);
    return finish(scene, census, target, draft, unmet);
  }

  /** The rules, in the order in which they may speak about a Machine: the first word counts. */
  private static int write(Scene scene, Judge judge, Census census, Target target, Draft draft) {
    Turnover turnover = new Turnover(scene, census, target, draft);
    new Upkeep(scene, judge, draft).write();
    int unmet = new Refill(scene, census, target, turnover, draft).write();
    turnover.write();
    Tags.write(scene, draft);
    return unmet;
  }

  private static Plan finish(Scene scene, Census census, Target target, Draft draft, int unmet) {
    List<Action> all = draft.inOrder();
    int most = scene.policy().pass().maxActions();
    List<Finding> findings = Findings.of(scene, target, all);
    boolean partial = all.size() > most;
    List<Action> now = partial ? all.subList(0, most) : all;
    return new Plan(target, census.counts(), now, findings, unmet, partial);
  }

  private static Target target(Scene scene, Counts counts) {
    return DemandRule.target(
        scene.seen().demand(),
        scene.seen().boot(),
        scene.desired().bounds(),
        ceiling(scene, counts),
        scene.policy().sizing());
  }

  /** What the budget leaves for idle Machines once those in use are paid. */
  private static int ceiling(Scene scene, Counts counts) {
    Desired.Budget budget = scene.desired().budget();
    int warmMax = scene.desired().bounds().warmMax();
    if (budget == null) return warmMax;
    return Math.clamp((long) budget.machines() - counts.assigned(), 0, warmMax);
  }

  private static Optional<Finding> isViewUnusable(Scene scene) {
    Instant listed = scene.seen().listing().listedAt();
    Instant booked = scene.seen().listing().bookedAt();
    if (listed == null || booked == null) {
      String missing = listed == null ? "Fly's list" : "the store's snapshot";
      return Optional.of(
          new Finding(Finding.Kind.NO_VIEW, 0, "no action: " + missing + " is missing"));
    }
    Instant older = listed.isBefore(booked) ? listed : booked;
    Duration limit = scene.policy().pass().staleAfter();
    if (!older.isBefore(scene.now().minus(limit))) return Optional.empty();
    String detail =
        "no action: the view is %s old, %s are allowed"
            .formatted(Span.of(older, scene.now()), Span.of(limit));
    return Optional.of(new Finding(Finding.Kind.STALE_VIEW, 0, detail));
  }
}
