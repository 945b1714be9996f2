// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import cupbear.probe.ProbeReport;
import cupbear.probe.ProbeResult;
import cupbear.probe.ViewerReport;
import cupbear.probe.ViewerReport.Part;
import cupbear.scheduler.model.Verdict;
import cupbear.scheduler.port.Probes.Answer;
import cupbear.scheduler.port.Probes.Depth;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a round of probes means to the loop. */
class ViewerAnswerTest {
  private static final ViewerReport.Answer GUACD =
      part(Part.GUACD, new ProbeResult.GuacdReady(ProbeResult.GuacdReady.Proof.NO_SUCH_CONNECTION));

  private static ViewerReport.Answer part(Part part, ProbeResult result) {
    return new ViewerReport.Answer(part, new ProbeReport(result, List.of(), Duration.ZERO));
  }

  static Stream<Arguments> rounds() {
    var pinned = new ProbeResult.TlsError(ProbeResult.TlsError.Kind.PIN, 0);
    var late = new ProbeResult.ProberError(ProbeResult.ProberError.Cause.LATE, "");
    return Stream.of(
        argumentSet(
            "RDP refuses: it was reached, so the answer reaches that far",
            List.of(GUACD, part(Part.RDP, new ProbeResult.Refused())),
            Verdict.STRIKE,
            Depth.FIRST),
        argumentSet(
            "RDP wants a client certificate: alive, not as configured",
            List.of(GUACD, part(Part.RDP, new ProbeResult.NegotiationFailure(6))),
            Verdict.MISCONFIGURED,
            Depth.FIRST),
        argumentSet(
            "RDP shows another certificate: a person has to look",
            List.of(GUACD, part(Part.RDP, pinned)),
            Verdict.MISCONFIGURED,
            Depth.FIRST),
        argumentSet(
            "RDP cannot read its key: a strike",
            List.of(GUACD, part(Part.RDP, new ProbeResult.NegotiationFailure(3))),
            Verdict.STRIKE,
            Depth.FIRST),
        argumentSet(
            "the RDP plugin is missing: RDP was not reached",
            List.of(GUACD, part(Part.PLUGIN, new ProbeResult.Unreachable())),
            Verdict.STRIKE,
            Depth.GUACD),
        argumentSet(
            "our own event loop was late",
            List.of(part(Part.GUACD, late)),
            Verdict.PROBER_FAULT,
            Depth.GUACD));
  }

  @ParameterizedTest
  @MethodSource("rounds")
  void meaning(List<ViewerReport.Answer> answers, Verdict verdict, Depth depth) {
    Answer answer = ViewerProbes.answer(new ViewerReport(answers), Depth.FIRST);
    assertThat(answer.verdict()).isEqualTo(verdict);
    assertThat(answer.depth()).isEqualTo(depth);
    ViewerReport.Answer last = answers.getLast();
    assertThat(answer.detail())
        .isEqualTo(last.part().word() + ": " + last.report().result().sentence());
  }
}
