// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Region;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One refusal, as RFC 9457 has it.
 *
 * @param detail what happened this time and what to do, in our own words; never a stranger's bytes
 * @param retryAfter when a repeat can help; null when the type says nothing about it
 * @param extra further members
 */
record Problem(ProblemType type, String detail, @Nullable Duration retryAfter, JsonObject extra) {
  private static final int ERRORS_MOST = 100;

  static Problem of(ProblemType type, String detail) {
    return new Problem(type, detail, null, new JsonObject());
  }

  static Problem later(ProblemType type, Duration retryAfter, String detail) {
    return new Problem(type, detail, retryAfter, new JsonObject());
  }

  static Problem invalid(List<FieldError> errors) {
    return withErrors(
        ProblemType.INVALID_REQUEST,
        errors.size() == 1
            ? "One field is wrong; see errors."
            : "%d fields are wrong; see errors.".formatted(errors.size()),
        errors);
  }

  static Problem invalid(String field, String why) {
    return invalid(List.of(new FieldError(field, why)));
  }

  static Problem withErrors(ProblemType type, String detail, List<FieldError> errors) {
    JsonArray all = new JsonArray();
    errors.stream()
        .limit(ERRORS_MOST)
        .forEach(
            each -> all.add(new JsonObject().put("field", each.field()).put("why", each.why())));
    return new Problem(type, detail, null, new JsonObject().put("errors", all));
  }

  static Problem notFound(String what) {
    return of(ProblemType.NOT_FOUND, "There is no " + what + ".");
  }

  static Problem stale(Epoch current) {
    return new Problem(
        ProblemType.EPOCH_STALE,
        "The session is at epoch %s; renew to learn its newest grant.".formatted(current),
        null,
        new JsonObject().put("epoch", current.value()));
  }

  static Problem noCapacity(Duration retryAfter, List<Region> tried, String detail) {
    JsonArray regions = new JsonArray();
    tried.forEach(each -> regions.add(each.code()));
    return new Problem(
        ProblemType.NO_CAPACITY,
        detail,
        retryAfter,
        new JsonObject().put("regions_tried", regions));
  }

  Problem because(String reason) {
    return new Problem(type, detail, retryAfter, extra.copy().put("reason", reason));
  }

  /** Whole seconds, rounded up: a repeat that comes too early is a repeat for nothing. */
  long retrySeconds() {
    return retryAfter == null ? 0 : (retryAfter.toMillis() + 999) / 1000;
  }

  JsonObject json(Trace trace) {
    JsonObject json =
        new JsonObject()
            .put("type", type.path())
            .put("title", type.title)
            .put("status", type.status)
            .put("detail", detail)
            .put("instance", "urn:trace:" + trace.traceId())
            .put("trace_id", trace.traceId());
    if (retryAfter != null) json.put("retry_after_seconds", retrySeconds());
    return json.mergeIn(extra);
  }
}
