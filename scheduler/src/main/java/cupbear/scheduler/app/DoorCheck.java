// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.core.Freshness;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.SessionResult;
import cupbear.scheduler.model.Verdict;
import cupbear.scheduler.port.Claims.Blame;
import cupbear.scheduler.port.Claims.SessionCall;
import cupbear.scheduler.port.Probes;
import cupbear.scheduler.trace.Span;
import io.vertx.core.Future;
import java.time.Duration;

/**
 * The last look at a Machine before its caller hears of it: a proof that is too old is renewed with
 * one quick probe, inside the caller's own time. A Machine that fails it is taken out of service,
 * unless another call with the same key may have handed it over meanwhile; the store decides that.
 * Any thread; holds nothing.
 */
final class DoorCheck {
  private static final Duration STORE_WITHIN = Duration.ofSeconds(2);
  private static final Duration PROBE_LEAST = Duration.ofSeconds(1);
  private static final Duration PROBE_MOST = Duration.ofSeconds(3);

  /** What came of it. */
  enum Outcome {
    FINE,
    /** It is its caller's already, by another call with the same key. */
    ANOTHER_HAS_IT,
    /** It is out of service, and nothing was delivered: ask for another one. */
    NO_GOOD
  }

  private final Ask ask;
  private final Ports ports;
  private final Deadlines deadlines;
  private final Stopwatch clock;
  private final AssignSpans spans;

  DoorCheck(Ask ask, Ports ports, Deadlines deadlines, Stopwatch clock, AssignSpans spans) {
    this.ask = ask;
    this.ports = ports;
    this.deadlines = deadlines;
    this.clock = clock;
    this.spans = spans;
  }

  /** Fails only when the store cannot say what became of a Machine that is no good. */
  Future<Outcome> look(Grant grant) {
    var serving = ask.pool().serving();
    Freshness fresh = new Freshness(serving.guacdTrust(), serving.rdpTrust());
    return switch (fresh.lackOf(grant.proof(), grant.grantedAt())) {
      case NOTHING -> Future.succeededFuture(Outcome.FINE);
      case GUACD -> probe(grant, Probes.Depth.GUACD);
      case RDP -> probe(grant, Probes.Depth.FULL);
    };
  }

  private Future<Outcome> probe(Grant grant, Probes.Depth depth) {
    Span span = spans.probing(grant);
    return deadlines
        .within(
            clock.left(PROBE_LEAST, PROBE_MOST),
            "probe",
            () -> ports.probes().probe(ask.name(), grant.machine(), grant.address(), depth))
        .recover(late ->
            Future.succeededFuture(
                new Probes.Answer(Verdict.STRIKE, depth, "" + late.getMessage())))
        .compose(answer -> {
          AssignSpans.probed(span, answer);
          ports
              .meters()
              .probed(ask.name(), grant.region(), grant.machine(), answer, clock.elapsed());
          return switch (answer.verdict()) {
            // A prober that cannot ask says nothing against a Machine that was proven.
            case HEALTHY, PROBER_FAULT -> Future.succeededFuture(Outcome.FINE);
            case STRIKE, MISCONFIGURED -> takeOut(grant, answer.detail());
          };
        });
  }

  private Future<Outcome> takeOut(Grant grant, String detail) {
    SessionCall call =
        new SessionCall(ask.name(), grant.session(), ask.caller(), ask.pool().terms());
    Blame blame = new Blame(grant.epoch(), false, "probe before hand-over: " + detail);
    return deadlines
        .within(STORE_WITHIN, "fail", () -> ports.claims().fail(call, blame))
        .map(result ->
            result instanceof SessionResult.Alive ? Outcome.ANOTHER_HAS_IT : Outcome.NO_GOOD);
  }
}
