// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import cupbear.scheduler.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import org.jspecify.annotations.Nullable;

/** A span that OpenTelemetry keeps, or at least carries on when the caller does not keep it. */
final class OtelSpan implements Span {
  private final Tracer tracer;
  private final io.opentelemetry.api.trace.Span span;
  private final Runnable atEnd;

  OtelSpan(Tracer tracer, io.opentelemetry.api.trace.Span span, Runnable atEnd) {
    this.tracer = tracer;
    this.span = span;
    this.atEnd = atEnd;
  }

  SpanContext context() {
    return span.getSpanContext();
  }

  @Override
  public boolean isHeard() {
    return span.isRecording();
  }

  @Override
  public Span child(String name) {
    if (!span.isRecording()) return Span.NONE;
    io.opentelemetry.api.trace.Span child =
        tracer.spanBuilder(name).setParent(Context.root().with(span)).startSpan();
    return new OtelSpan(tracer, child, () -> {});
  }

  @Override
  public Span with(String key, Object value) {
    if (!span.isRecording()) return this;
    switch (value) {
      case Integer number -> span.setAttribute(key, number.longValue());
      case Long number -> span.setAttribute(key, number);
      default -> span.setAttribute(key, value.toString());
    }
    return this;
  }

  @Override
  public Span failed(String type) {
    span.setStatus(StatusCode.ERROR);
    return with("error.type", type);
  }

  @Override
  public void end() {
    span.end();
    atEnd.run();
  }

  @Override
  public String traceId() {
    return span.getSpanContext().getTraceId();
  }

  @Override
  public @Nullable String traceparent() {
    SpanContext place = span.getSpanContext();
    if (!place.isValid()) return null;
    return "00-%s-%s-%s"
        .formatted(place.getTraceId(), place.getSpanId(), place.getTraceFlags().asHex());
  }
}
