// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.Counts;
import cupbear.scheduler.model.Finding;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.Plan;
import cupbear.scheduler.model.Target;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A plan for programs and for people. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record PlanCommandView(
    String pool,
    String region,
    String at,
    Target target,
    Counts counts,
    List<Step> actions,
    List<Note> findings,
    int unmet,
    boolean partial) {

  /**
   * One action.
   *
   * @param reason the word that metrics and audit use
   * @param because the sentence for people
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Step(
      String action,
      String on,
      String reason,
      String because,
      @Nullable String reserve,
      @Nullable String keep,
      @Nullable Map<String, String> tags) {}

  record Note(String finding, boolean alert, int count, String detail) {}

  static PlanCommandView of(PlanCommandInput input, Plan plan) {
    return new PlanCommandView(
        input.observed().pool().value(),
        input.observed().region().code(),
        input.now().toString(),
        plan.target(),
        plan.counts(),
        plan.actions().stream().map(PlanCommandView::step).toList(),
        plan.findings().stream().map(PlanCommandView::note).toList(),
        plan.unmet(),
        plan.partial());
  }

  static void print(PrintWriter out, PlanCommandInput input, Plan plan) {
    Counts counts = plan.counts();
    out.printf("%s in %s at %s%n", input.observed().pool(), input.observed().region(), input.now());
    out.printf("target   %s%n", plan.target().why());
    out.printf(
        "counted  %d warm, %d coming up, %d expected · %d assigned, %d draining, %d parked,"
            + " %d condemned%n",
        counts.warm(),
        counts.comingUp(),
        counts.expected(),
        counts.assigned(),
        counts.draining(),
        counts.parked(),
        counts.condemned());
    printActions(out, plan.actions());
    for (Finding finding : plan.findings()) {
      String mark = finding.alert() ? "alert  " : "note   ";
      out.printf("%s  %s: %s%n", mark, finding.kind().word(), finding.detail());
    }
    if (plan.unmet() > 0) out.printf("unmet    %d, left to the next region%n", plan.unmet());
    if (plan.partial()) out.printf("partial  there is more to do; the loop comes back at once%n");
    out.flush();
  }

  private static void printActions(PrintWriter out, List<Action> actions) {
    if (actions.isEmpty()) out.printf("nothing to do%n");
    int width = actions.stream().mapToInt(action -> action.on().length()).max().orElse(0);
    String line = "  %-8s  %-" + Math.max(1, width) + "s  %s%n";
    for (Action action : actions) out.printf(line, word(action), action.on(), action.why());
  }

  private static Step step(Action action) {
    String reserve = action.reserve().name().toLowerCase(Locale.ROOT);
    return new Step(
        word(action),
        action.on(),
        action.why().reason().word(),
        action.why().detail(),
        reserve.equals("none") ? null : reserve,
        keep(action),
        action instanceof Action.Retag retag ? retag.tags() : null);
  }

  private static @Nullable String keep(Action action) {
    Keep keep =
        switch (action) {
          case Action.Create create -> create.keep();
          case Action.Start start -> start.keep();
          case Action.OnMachine other -> null;
        };
    return keep == null ? null : keep.word();
  }

  private static Note note(Finding finding) {
    return new Note(finding.kind().word(), finding.alert(), finding.count(), finding.detail());
  }

  private static String word(Action action) {
    return action.kind().name().toLowerCase(Locale.ROOT);
  }
}
