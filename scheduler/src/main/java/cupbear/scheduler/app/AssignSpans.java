// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.port.Probes;
import cupbear.scheduler.trace.Span;
import cupbear.scheduler.trace.Tracing;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The steps of one session request as spans below its own. Any thread. */
final class AssignSpans {
  private final Span request;
  private volatile Span waiting = Span.NONE;

  AssignSpans(Span request) {
    this.request = request;
  }

  Span claiming() {
    return request.child("assign.claim");
  }

  static void claimed(Span claim, @Nullable ClaimResult result, @Nullable Throwable failure) {
    if (!claim.isHeard()) return;
    if (failure != null) claim.failed("store");
    if (result != null) claim.with("cupbear.outcome", word(result));
    if (result instanceof ClaimResult.Granted granted) about(claim, granted.grant());
    claim.end();
  }

  void waiting() {
    waiting = request.child("assign.wait");
  }

  void waited() {
    waiting.end();
  }

  Span probing(Grant grant) {
    return about(request.child("assign.probe"), grant);
  }

  static void probed(Span probe, Probes.Answer answer) {
    if (!probe.isHeard()) return;
    probe
        .with("cupbear.outcome", answer.verdict().name().toLowerCase(Locale.ROOT))
        .with("cupbear.probe.depth", answer.depth().name().toLowerCase(Locale.ROOT))
        .end();
  }

  void answered(Answer answer, Tracing tracing) {
    waited();
    if (!request.isHeard()) return;
    request.with("cupbear.outcome", answer.outcome());
    if (answer instanceof Answer.Assigned assigned) {
      about(request, assigned.grant());
      tracing.granted(assigned.grant(), request);
    }
  }

  private static Span about(Span span, Grant grant) {
    return span.with("cupbear.region", grant.region())
        .with("cupbear.machine.id", grant.machine())
        .with("cupbear.session.id", grant.session())
        .with("cupbear.epoch", grant.epoch());
  }

  private static String word(ClaimResult result) {
    return result
        .getClass()
        .getSimpleName()
        .replaceAll("(?<=[a-z])(?=[A-Z])", "_")
        .toLowerCase(Locale.ROOT);
  }
}
