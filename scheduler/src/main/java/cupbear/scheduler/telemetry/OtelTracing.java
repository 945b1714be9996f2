// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.ActionKind;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.trace.Span;
import cupbear.scheduler.trace.Tracing;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Traces by OpenTelemetry. Remembers, for a while, in which span each Machine was given out, so
 * that what follows can be linked to it; what another replica gave out is not linked, but carries
 * the same ids as attributes. Any thread.
 */
final class OtelTracing implements Tracing {
  /** Sessions and Machines remembered: those of a few minutes under full load. */
  private static final int REMEMBERED = 10_000;

  /** The two headers of one request. */
  private record Headers(@Nullable String traceparent, @Nullable String tracestate) {}

  private static final TextMapGetter<Headers> GETTER =
      new TextMapGetter<>() {
        @Override
        public @Nullable String get(@Nullable Headers headers, String key) {
          if (headers == null) return null;
          return switch (key) {
            case "traceparent" -> headers.traceparent();
            case "tracestate" -> headers.tracestate();
            default -> null;
          };
        }
      };

  private final Tracer tracer;
  private final Map<SessionId, SpanContext> grants = lately();
  private final Map<MachineId, SpanContext> given = lately();
  private final Map<String, OtelSpan> acting = new ConcurrentHashMap<>();

  OtelTracing(OpenTelemetry openTelemetry) {
    this.tracer = openTelemetry.getTracer("cupbear.scheduler");
  }

  private static <K> Map<K, SpanContext> lately() {
    return Collections.synchronizedMap(
        new LinkedHashMap<>() {
          @Override
          protected boolean removeEldestEntry(Map.Entry<K, SpanContext> eldest) {
            return size() > REMEMBERED;
          }
        });
  }

  @Override
  public boolean isOn() {
    return true;
  }

  @Override
  public Span request(String route, @Nullable String traceparent, @Nullable String tracestate) {
    Context parent =
        W3CTraceContextPropagator.getInstance()
            .extract(Context.root(), new Headers(traceparent, tracestate), GETTER);
    io.opentelemetry.api.trace.Span span =
        tracer
            .spanBuilder(route)
            .setSpanKind(SpanKind.SERVER)
            .setParent(parent)
            .setAttribute("http.route", route.substring(route.indexOf(' ') + 1))
            .startSpan();
    return new OtelSpan(tracer, span, () -> {});
  }

  @Override
  public Span action(Mandate mandate, Action action) {
    SpanBuilder builder =
        tracer
            .spanBuilder("machine." + Labels.word(action.kind()))
            .setNoParent()
            .setAttribute("cupbear.pool", mandate.pool().value())
            .setAttribute("cupbear.region", mandate.region().code())
            .setAttribute("cupbear.epoch", mandate.epoch().toString())
            .setAttribute("cupbear.action", Labels.word(action.kind()))
            .setAttribute("cupbear.reason", action.why().reason().word())
            .setAttribute(
                action instanceof Action.OnMachine ? "cupbear.machine.id" : "cupbear.machine.name",
                action.on());
    if (action instanceof Action.OnMachine on && action.kind() == ActionKind.RETAG) {
      SpanContext cause = given.remove(on.machine());
      if (cause != null) builder.addLink(cause);
    }
    String on = action.on();
    OtelSpan[] self = new OtelSpan[1];
    self[0] = new OtelSpan(tracer, builder.startSpan(), () -> acting.remove(on, self[0]));
    acting.put(on, self[0]);
    return self[0];
  }

  /** The place in its trace of what is being done to a Machine now. */
  @Nullable String acting(String machine) {
    OtelSpan span = acting.get(machine);
    return span == null ? null : span.traceparent();
  }

  @Override
  public void granted(Grant grant, Span by) {
    if (!(by instanceof OtelSpan span) || !span.isHeard()) return;
    grants.put(grant.session(), span.context());
    given.put(grant.machine(), span.context());
  }

  @Override
  public void connected(Grant grant, Duration took) {
    SpanContext cause = grants.remove(grant.session());
    Instant end = Instant.now();
    SpanBuilder builder =
        tracer
            .spanBuilder("assign_to_connect")
            .setStartTimestamp(end.minus(took))
            .setAttribute("cupbear.pool", grant.pool().value())
            .setAttribute("cupbear.region", grant.region().code())
            .setAttribute("cupbear.machine.id", grant.machine().value())
            .setAttribute("cupbear.session.id", grant.session().toString())
            .setAttribute("cupbear.epoch", grant.epoch().toString());
    if (cause == null) builder.setNoParent();
    else {
      builder.setParent(Context.root().with(io.opentelemetry.api.trace.Span.wrap(cause)));
    }
    builder.startSpan().end(end);
  }
}
