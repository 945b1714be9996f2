// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.probe.ProbeResult.Closed;
import cupbear.probe.ProbeResult.GuacdReady;
import cupbear.probe.ProbeResult.NegotiationFailure;
import cupbear.probe.ProbeResult.ProberError;
import cupbear.probe.ProbeResult.ProtocolError;
import cupbear.probe.ProbeResult.Ready;
import cupbear.probe.ProbeResult.ReadyNla;
import cupbear.probe.ProbeResult.Refused;
import cupbear.probe.ProbeResult.TimedOut;
import cupbear.probe.ProbeResult.TlsError;
import cupbear.probe.ProbeResult.Unreachable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What each result means for a Machine: the table that destroys or spares it. */
class ProbeResultTest {

  static List<Arguments> weights() {
    Closed closed = new Closed(ProbeStep.MCS, Closed.How.FIN);
    TimedOut timeout = new TimedOut(ProbeStep.X224, 0, 4, Duration.ofSeconds(2));
    List<Arguments> rows = new ArrayList<>();
    for (GuacdReady.Proof proof : GuacdReady.Proof.values()) {
      rows.add(Arguments.of(new GuacdReady(proof), Weight.HEALTHY));
    }
    rows.add(Arguments.of(new Ready(Depth.LOGIN, Selected.TLS, "TLSv1.3"), Weight.HEALTHY));
    rows.add(Arguments.of(new Ready(Depth.JOINS, Selected.STANDARD, "none"), Weight.HEALTHY));
    rows.add(Arguments.of(new ReadyNla(false, Selected.HYBRID, "TLSv1.3"), Weight.HEALTHY));
    rows.add(Arguments.of(new Refused(), Weight.STRIKE));
    rows.add(Arguments.of(new Unreachable(), Weight.STRIKE));
    rows.add(Arguments.of(timeout, Weight.STRIKE));
    rows.add(Arguments.of(closed, Weight.STRIKE));
    for (Fault fault : Fault.values()) {
      rows.add(Arguments.of(new ProtocolError(ProbeStep.MCS, fault, 9), Weight.STRIKE));
    }
    rows.add(Arguments.of(new NegotiationFailure(1), Weight.ALERT));
    rows.add(Arguments.of(new NegotiationFailure(2), Weight.ALERT));
    rows.add(Arguments.of(new NegotiationFailure(3), Weight.STRIKE));
    rows.add(Arguments.of(new NegotiationFailure(4), Weight.NEVER));
    rows.add(Arguments.of(new NegotiationFailure(5), Weight.ALERT));
    rows.add(Arguments.of(new NegotiationFailure(6), Weight.ALERT));
    rows.add(Arguments.of(new NegotiationFailure(99), Weight.ALERT));
    for (TlsError.Kind kind : TlsError.Kind.values()) {
      Weight weight = kind == TlsError.Kind.PIN ? Weight.ALERT : Weight.STRIKE;
      rows.add(Arguments.of(new TlsError(kind, 0), weight));
    }
    for (ProberError.Cause cause : ProberError.Cause.values()) {
      rows.add(Arguments.of(new ProberError(cause, ""), Weight.NEVER));
    }
    return rows;
  }

  @ParameterizedTest(name = "{0} is {1}")
  @MethodSource("weights")
  void weighs(ProbeResult result, Weight weight) {
    assertThat(result.weight()).isEqualTo(weight);
    assertThat(result.word()).matches("[A-Z_]+");
    assertThat(result.sentence()).isNotBlank().doesNotContain("\n").doesNotEndWith(".");
  }

  @Test
  void sentencesTellResultsApart() {
    List<String> sentences =
        weights().stream().map(row -> ((ProbeResult) row.get()[0]).sentence()).toList();
    assertThat(new HashSet<>(sentences)).hasSameSizeAs(sentences);
  }

  @Test
  void onlyStandardSecurityIsADowngrade() {
    for (Selected selected : Selected.values()) {
      boolean standard = selected == Selected.STANDARD || selected == Selected.UNSAID;
      Ready ready = new Ready(Depth.JOINS, selected, "none");
      assertThat(ready.downgraded()).as("%s", selected).isEqualTo(standard);
    }
  }
}
