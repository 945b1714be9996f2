// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One complete HTTP answer. Reading it trusts nothing but the status. */
record Reply(int status, String contentType, String retryAfter, Buffer body) {
  // Enough for a sentence; a hostile server shall not fill our logs.
  private static final int LONGEST_DETAIL = 300;
  private static final int MOST_ERRORS = 100;

  /** Empty when this is a success. */
  Optional<Refusal> refusal() {
    return status >= 200 && status < 300 ? Optional.empty() : Optional.of(refused());
  }

  /** The body of a success. */
  JsonObject json() {
    if (!contentType.startsWith("application/json")) {
      throw new GarbledAnswer("the answer is '" + plain(contentType) + "', not JSON");
    }
    return parsed().orElseThrow(() -> new GarbledAnswer("the answer is no JSON object"));
  }

  private Refusal refused() {
    JsonObject problem = problem();
    String slug = slug(problem);
    String detail = detail(problem);
    return switch (status) {
      case 400 -> new Refusal.Invalid(errors(problem), detail);
      case 401 -> new Refusal.Unauthorized(detail);
      case 403 -> new Refusal.Forbidden(detail);
      case 404 -> new Refusal.NotFound(detail);
      case 409 -> conflict(slug, problem, detail);
      case 429 -> new Refusal.RateLimited(patience(), detail);
      case 503 -> unavailable(slug, detail);
      default ->
          status >= 500
              ? new Refusal.Unavailable(slug, patience(), detail)
              : new Refusal.Other(status, slug, detail);
    };
  }

  private Refusal conflict(String slug, JsonObject problem, String detail) {
    String reason = text(problem, "reason").orElse("unknown");
    return switch (slug) {
      case "lease-lost" -> new Refusal.LeaseLost(reason, detail);
      case "machine-lost" -> new Refusal.MachineLost(reason, detail);
      case "epoch-stale" -> new Refusal.EpochStale(detail);
      default -> new Refusal.Other(status, slug, detail);
    };
  }

  private Refusal unavailable(String slug, String detail) {
    return switch (slug) {
      case "no-capacity" -> new Refusal.NoCapacity(patience(), detail);
      case "queue-full" -> new Refusal.QueueFull(patience(), detail);
      default -> new Refusal.Unavailable(slug, patience(), detail);
    };
  }

  private JsonObject problem() {
    boolean readable = contentType.contains("json");
    return readable ? parsed().orElseGet(JsonObject::new) : new JsonObject();
  }

  private Optional<JsonObject> parsed() {
    try {
      return Optional.of(new JsonObject(body));
    } catch (DecodeException | ClassCastException noObject) {
      return Optional.empty();
    }
  }

  private String detail(JsonObject problem) {
    return text(problem, "detail")
        .or(() -> text(problem, "title"))
        .orElse("the scheduler answered with status " + status);
  }

  private static String slug(JsonObject problem) {
    String type = text(problem, "type").orElse("");
    return type.substring(type.lastIndexOf('/') + 1);
  }

  private static List<Refusal.FieldError> errors(JsonObject problem) {
    List<Refusal.FieldError> errors = new ArrayList<>();
    if (problem.getValue("errors") instanceof JsonArray array) {
      array.stream()
          .limit(MOST_ERRORS)
          .filter(JsonObject.class::isInstance)
          .map(JsonObject.class::cast)
          .forEach(each ->
              errors.add(
                  new Refusal.FieldError(
                      text(each, "field").orElse("?"), text(each, "why").orElse("?"))));
    }
    return errors;
  }

  private Duration patience() {
    // Seconds only: the API sends no dates. Nine digits cannot overflow.
    return retryAfter.matches("[0-9]{1,9}")
        ? Duration.ofSeconds(Long.parseLong(retryAfter))
        : Duration.ZERO;
  }

  private static Optional<String> text(JsonObject json, String field) {
    @Nullable Object value = json.getValue(field);
    return value instanceof String string && !string.isBlank()
        ? Optional.of(plain(string))
        : Optional.empty();
  }

  /** Foreign text made fit for a log line. */
  static String plain(String text) {
    String cut = text.length() <= LONGEST_DETAIL ? text : text.substring(0, LONGEST_DETAIL) + "…";
    return cut.replaceAll("\\p{Cntrl}", " ");
  }
}
