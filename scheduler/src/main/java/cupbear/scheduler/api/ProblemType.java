// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import java.util.Locale;

/** The closed set of refusals; each has a page under docs/problems. */
enum ProblemType {
  INVALID_REQUEST(400, "The request is not valid"),
  IDEMPOTENCY_KEY_MISSING(400, "An Idempotency-Key is needed"),
  UNAUTHORIZED(401, "Who are you?"),
  FORBIDDEN(403, "This token may not do that"),
  NOT_FOUND(404, "Nothing is here"),
  METHOD_NOT_ALLOWED(405, "Not with this method"),
  NOT_ACCEPTABLE(406, "Not in that form"),
  REQUEST_TIMEOUT(408, "The request came too slowly"),
  LEASE_LOST(409, "The session has ended"),
  MACHINE_LOST(409, "The Machine of this session is gone"),
  EPOCH_STALE(409, "A newer grant of this session exists"),
  BODY_TOO_LARGE(413, "The body is too large"),
  URI_TOO_LONG(414, "The address is too long"),
  UNSUPPORTED_MEDIA_TYPE(415, "Send JSON"),
  IDEMPOTENCY_KEY_REUSED(422, "This key belongs to another request"),
  CONFIG_INVALID(422, "The configuration is not valid; the old one stays"),
  RATE_LIMITED(429, "Too many requests from this token"),
  HEADERS_TOO_LARGE(431, "The headers are too large"),
  INTERNAL_ERROR(500, "A mistake on our side"),
  NO_CAPACITY(503, "No warm Machine"),
  QUEUE_FULL(503, "Too many are waiting already"),
  STORE_UNAVAILABLE(503, "The store does not answer"),
  RECOVERING(503, "The store lost data and is being rebuilt"),
  SHUTTING_DOWN(503, "This replica is going away"),
  TIMEOUT(504, "The outcome is not known");

  final int status;
  final String title;

  ProblemType(int status, String title) {
    this.status = status;
    this.title = title;
  }

  /** The last part of the type's address, such as {@code no-capacity}. */
  String slug() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  String path() {
    return "/problems/" + slug();
  }
}
