// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import cupbear.probe.Advice;
import cupbear.probe.ProbeReport;
import cupbear.probe.ProbeResult;
import cupbear.probe.StepTime;
import cupbear.probe.ViewerReport;
import cupbear.probe.ViewerReport.Part;
import cupbear.probe.Weight;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What {@code cupbear probe} found, for programs: the first round that was not ready, or else the
 * first one.
 *
 * @param verdict READY, or the name of the result that says otherwise
 * @param weight what the scheduler would make of it: healthy, strike, alert or never
 * @param next what to try
 * @param rounds how many were made
 * @param readyRounds how many of them were ready
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ProbeView(
    String host,
    String address,
    @Nullable Answer guacd,
    @Nullable Answer plugin,
    @Nullable Answer rdp,
    String verdict,
    String weight,
    String sentence,
    String next,
    int rounds,
    int readyRounds) {

  /** One step and its time in milliseconds. */
  record Step(String name, double ms) {}

  /** One question's end; what a result does not have is left out. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Answer(
      String result,
      String weight,
      String sentence,
      @Nullable String depth,
      @Nullable String selected,
      @Nullable String tls,
      @Nullable Boolean downgraded,
      @Nullable String step,
      @Nullable String detail,
      @Nullable Long code,
      double ms,
      List<Step> steps) {}

  static ProbeView of(String host, String address, List<ViewerReport> rounds) {
    ViewerReport shown =
        rounds.stream().filter(r -> !r.healthy()).findFirst().orElse(rounds.getFirst());
    ProbeResult decisive = shown.verdict().result();
    return new ProbeView(
        host,
        address,
        shown.of(Part.GUACD).map(ProbeView::answer).orElse(null),
        shown.of(Part.PLUGIN).map(ProbeView::answer).orElse(null),
        shown.of(Part.RDP).map(ProbeView::answer).orElse(null),
        shown.healthy() ? "READY" : decisive.word(),
        word(decisive.weight()),
        decisive.sentence(),
        Advice.next(shown),
        rounds.size(),
        (int) rounds.stream().filter(ViewerReport::healthy).count());
  }

  @JsonIgnore
  boolean ready() {
    return rounds == readyRounds;
  }

  static double millis(Duration duration) {
    return Math.round(duration.toNanos() / 1e5) / 10.0;
  }

  static String word(Weight weight) {
    return weight.name().toLowerCase(Locale.ROOT);
  }

  private static Answer answer(ProbeReport report) {
    ProbeResult result = report.result();
    ProbeFacts facts = ProbeFacts.of(result);
    return new Answer(
        result.word(),
        word(result.weight()),
        result.sentence(),
        facts.depth,
        facts.selected,
        facts.tls,
        facts.downgraded,
        facts.step,
        facts.detail,
        facts.code,
        millis(report.took()),
        report.steps().stream().map(ProbeView::step).toList());
  }

  private static Step step(StepTime time) {
    return new Step(time.step().word(), millis(time.took()));
  }

  /** What only some results have. */
  private record ProbeFacts(
      @Nullable String depth,
      @Nullable String selected,
      @Nullable String tls,
      @Nullable Boolean downgraded,
      @Nullable String step,
      @Nullable String detail,
      @Nullable Long code) {

    static ProbeFacts of(ProbeResult result) {
      return switch (result) {
        case ProbeResult.GuacdReady ready -> why(null, ready.proof().name(), null);
        case ProbeResult.Ready ready ->
            new ProbeFacts(
                ready.depth().word(),
                ready.selected().name(),
                ready.tls(),
                ready.downgraded(),
                null,
                null,
                null);
        case ProbeResult.ReadyNla ready ->
            new ProbeFacts(
                ready.challenged() ? "challenge" : "tls",
                ready.selected().name(),
                ready.tls(),
                false,
                null,
                null,
                null);
        case ProbeResult.Refused refused -> why("connect", null, null);
        case ProbeResult.Unreachable unreachable -> why("connect", null, null);
        case ProbeResult.TimedOut late -> why(late.step().word(), null, null);
        case ProbeResult.Closed closed -> why(closed.step().word(), closed.how().name(), null);
        case ProbeResult.ProtocolError error ->
            why(error.step().word(), error.fault().name(), error.code());
        case ProbeResult.NegotiationFailure failure -> why("x224", null, failure.code());
        case ProbeResult.TlsError error ->
            why("tls", error.kind().name(), Long.valueOf(error.alert()));
        case ProbeResult.ProberError error -> why(null, error.cause().name(), null);
      };
    }

    private static ProbeFacts why(
        @Nullable String step, @Nullable String detail, @Nullable Long code) {
      return new ProbeFacts(null, null, null, null, step, detail, code);
    }
  }
}
