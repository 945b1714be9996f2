// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import com.fasterxml.jackson.databind.JsonNode;
import cupbear.fly.FlyFailure.BadRequest;
import cupbear.fly.FlyFailure.Facts;
import cupbear.fly.FlyFailure.Forbidden;
import cupbear.fly.FlyFailure.LeaseHeld;
import cupbear.fly.FlyFailure.MachineLimit;
import cupbear.fly.FlyFailure.NameTaken;
import cupbear.fly.FlyFailure.NoCapacity;
import cupbear.fly.FlyFailure.NoCapacity.Scope;
import cupbear.fly.FlyFailure.NotFound;
import cupbear.fly.FlyFailure.Precondition;
import cupbear.fly.FlyFailure.Precondition.Reason;
import cupbear.fly.FlyFailure.RateLimited;
import cupbear.fly.FlyFailure.TimedOut;
import cupbear.fly.FlyFailure.Unauthorised;
import cupbear.fly.FlyFailure.Unavailable;
import cupbear.fly.FlyFailure.Unreachable;
import cupbear.fly.FlyFailure.Unreachable.Sent;
import cupbear.fly.FlyFailure.Unreadable;
import cupbear.fly.FlyFailure.VersionConflict;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * Turns an answer, or the lack of one, into a failure. Pure. The {@code status} field decides
 * first, then the HTTP status and what the call was; Fly's wording, which is no contract, last.
 */
final class Failures {

  private static final Pattern HELD =
      Pattern.compile("held by (?<owner>\\S+?)(?:,? expires at (?<until>\\S+))?[.,;]?(?:\\s|$)");
  private static final Pattern HOLDER =
      Pattern.compile("machine ID (?<id>[0-9a-z]+) already exists");
  private static final Pattern SHORT_OF =
      Pattern.compile("insufficient (?:cpus|memory|ips|resources) available to fulfill request");
  private static final List<String> HOST_FULL =
      List.of(
          "could not reserve resource for machine",
          "governor policy blocked start",
          "deploys to this host are temporarily disabled");

  private Failures() {}

  /** Fly's two words of explanation; either may be empty. */
  record Words(String status, String text) {

    /** Reads {@code error}, then {@code message}, of a JSON body; any other body is the text. */
    static Words of(byte[] body) {
      Optional<JsonNode> json = FlyJson.tree(body).filter(JsonNode::isObject);
      if (json.isEmpty()) {
        return new Words("", new String(body, StandardCharsets.UTF_8).strip());
      }
      JsonNode object = json.get();
      String error = object.path("error").asText("");
      return new Words(
          object.path("status").asText(""),
          error.isEmpty() ? object.path("message").asText("") : error);
    }

    private boolean says(String phrase) {
      return text.toLowerCase(Locale.ROOT).contains(phrase);
    }
  }

  /**
   * @param facts with status, request id and detail filled in
   */
  static FlyFailure classify(Facts facts, Words words) {
    return byStatusField(facts, words).orElseGet(() -> byHttpStatus(facts, words));
  }

  private static Optional<FlyFailure> byStatusField(Facts facts, Words words) {
    return switch (words.status()) {
      case "insufficient_capacity" -> Optional.of(new NoCapacity(facts, Scope.REGION));
      case "volume_placement_capacity" -> Optional.of(new NoCapacity(facts, Scope.VOLUME));
      case "name_taken" -> Optional.of(new NameTaken(facts, holder(words)));
      default -> Optional.empty();
    };
  }

  private static FlyFailure byHttpStatus(Facts facts, Words words) {
    return switch (facts.status()) {
      case 400 -> new BadRequest(facts, makes(facts) && words.says("manifest_unknown"));
      case 401 -> new Unauthorised(facts);
      case 403 -> new Forbidden(facts);
      case 404 -> new NotFound(facts);
      case 408 -> waitedInVain(facts, words);
      case 409 -> conflict(facts, words);
      case 412 -> precondition(facts, words);
      case 422 -> unprocessable(facts, words);
      case 429 -> new RateLimited(facts);
      default -> other(facts);
    };
  }

  private static boolean makes(Facts facts) {
    return facts.action() == Action.CREATE_MACHINE || facts.action() == Action.UPDATE_MACHINE;
  }

  private static FlyFailure other(Facts facts) {
    if (facts.status() >= 500) {
      return new Unavailable(facts, Unavailable.Origin.FLY);
    }
    return facts.status() >= 400 ? new BadRequest(facts, false) : new Unreadable(facts);
  }

  private static FlyFailure waitedInVain(Facts facts, Words words) {
    return facts.action() == Action.WAIT && words.says("currently replaced")
        ? new VersionConflict(facts)
        : new TimedOut(facts, TimedOut.Where.AT_FLY);
  }

  private static FlyFailure conflict(Facts facts, Words words) {
    if (words.says("lease") && words.says("held")) {
      return leaseHeld(facts, words);
    }
    if (words.says("unique machine name") || words.says("already_exists")) {
      return new NameTaken(facts, holder(words));
    }
    Optional<Scope> scope = capacity(words);
    if (scope.isPresent()) {
      return new NoCapacity(facts, scope.get());
    }
    if (words.says("concurrent update") || words.says("currently replaced")) {
      return new VersionConflict(facts);
    }
    if (words.says("still attempting to start")) {
      return new Precondition(facts, Reason.STILL_STARTING);
    }
    if (words.says("unable to destroy")) {
      return new Precondition(facts, Reason.NOT_STOPPED);
    }
    // Wording we do not know: what this call is documented to answer 409 for.
    return switch (facts.action()) {
      case UPDATE_MACHINE -> new VersionConflict(facts);
      case ACQUIRE_LEASE, REFRESH_LEASE -> leaseHeld(facts, words);
      default -> new Precondition(facts, Reason.OTHER);
    };
  }

  private static Optional<Scope> capacity(Words words) {
    String text = words.text().toLowerCase(Locale.ROOT).strip();
    if (SHORT_OF.matcher(text).find() || HOST_FULL.stream().anyMatch(text::contains)) {
      return Optional.of(Scope.HOST);
    }
    return text.endsWith("no capacity") ? Optional.of(Scope.REGION) : Optional.empty();
  }

  private static FlyFailure precondition(Facts facts, Words words) {
    if (words.says("still active")) {
      return new Precondition(facts, Reason.STILL_ACTIVE);
    }
    if (words.says("getting replaced")) {
      return new Precondition(facts, Reason.REPLACING);
    }
    if (words.says("from current state: 'created'")) {
      return new Precondition(facts, Reason.NOT_READY);
    }
    if (words.says("not running")) {
      return new Precondition(facts, Reason.NOT_RUNNING);
    }
    if (words.says("unable to destroy")) {
      return new Precondition(facts, Reason.NOT_STOPPED);
    }
    if (words.says("existing volume")) {
      return new NoCapacity(facts, Scope.VOLUME);
    }
    return switch (facts.action()) {
      case PATCH_METADATA, PUT_METADATA -> new VersionConflict(facts);
      default -> new Precondition(facts, Reason.OTHER);
    };
  }

  private static FlyFailure unprocessable(Facts facts, Words words) {
    if (words.says("machine limit")) {
      return new MachineLimit(facts);
    }
    return words.says("candidate host") || words.says("insufficient")
        ? new NoCapacity(facts, Scope.REGION)
        : new BadRequest(facts, false);
  }

  private static String holder(Words words) {
    Matcher found = HOLDER.matcher(words.text());
    return found.find() ? found.group("id") : "";
  }

  private static FlyFailure leaseHeld(Facts facts, Words words) {
    Matcher found = HELD.matcher(words.text());
    return found.find()
        ? new LeaseHeld(facts, found.group("owner"), time(found.group("until")))
        : new LeaseHeld(facts, "", Instant.EPOCH);
  }

  private static Instant time(@Nullable String text) {
    try {
      return text == null ? Instant.EPOCH : OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException unknownForm) {
      return Instant.EPOCH;
    }
  }

  /** A request that got no answer at all. */
  static FlyFailure broken(Facts facts, Throwable cause) {
    String what = cause.getClass().getSimpleName();
    return new Unreachable(facts.saying(what), neverLeft(cause) ? Sent.NO : Sent.MAYBE);
  }

  private static boolean neverLeft(@Nullable Throwable cause) {
    for (Throwable at = cause; at != null; at = at.getCause()) {
      if (at instanceof ConnectException
          || at instanceof UnknownHostException
          || at instanceof UnresolvedAddressException
          || at instanceof SSLHandshakeException
          || at instanceof ConnectionPoolTooBusyException) {
        return true;
      }
    }
    return false;
  }
}
