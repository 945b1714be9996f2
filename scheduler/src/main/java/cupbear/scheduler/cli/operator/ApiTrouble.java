// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import com.fasterxml.jackson.databind.JsonNode;
import cupbear.scheduler.cli.ExitCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why a command did not get what it asked for, in a line for people, and what to do next. */
public sealed class ApiTrouble extends Exception {
  private static final long serialVersionUID = 1;

  private final int exitCode;
  private final String advice;

  private ApiTrouble(int exitCode, String what, String advice, @Nullable Throwable cause) {
    super(what, cause);
    this.exitCode = exitCode;
    this.advice = advice;
  }

  final int exitCode() {
    return exitCode;
  }

  /** What to do next; one sentence. */
  final String advice() {
    return advice;
  }

  final String what() {
    return String.valueOf(getMessage());
  }

  /** Nobody answers there. */
  static final class Unreachable extends ApiTrouble {
    private static final long serialVersionUID = 1;

    Unreachable(String where, String why, @Nullable Throwable cause) {
      super(
          ExitCode.UNREACHABLE,
          "cannot reach a scheduler at %s: %s".formatted(where, why),
          "Is it running, and is --api (or CUPBEAR_API) its address? On Fly, run this inside the"
              + " private network.",
          cause);
    }
  }

  /** There is no token to send. */
  static final class NoToken extends ApiTrouble {
    private static final long serialVersionUID = 1;

    NoToken(String why) {
      super(
          ExitCode.NOT_AUTHORISED,
          why,
          "Put a token into CUPBEAR_TOKEN or name its file with --token-file; one is made with:"
              + " cupbear token create --role operator --name NAME",
          null);
    }
  }

  /** It answered, and the answer is no. */
  static final class Refused extends ApiTrouble {
    private static final long serialVersionUID = 1;

    private final int status;
    private final String type;

    private Refused(int status, String type, String what, String advice) {
      super(exitCode(status), what, advice, null);
      this.status = status;
      this.type = type;
    }

    /** What a command sends is what it was given: a bad request is wrong usage. */
    private static int exitCode(int status) {
      return switch (status) {
        case 400 -> ExitCode.USAGE;
        case 401, 403 -> ExitCode.NOT_AUTHORISED;
        default -> ExitCode.FAILED;
      };
    }

    /** A problem document; any other answer is called by its status. */
    static Refused of(int status, @Nullable JsonNode problem) {
      if (problem == null || !problem.path("type").isTextual()) {
        return new Refused(
            status,
            "",
            "HTTP %d without an explanation".formatted(status),
            "Is --api the address of a scheduler's API, and not of something else?");
      }
      String type = problem.path("type").asText().replaceAll(".*/", "");
      List<String> fields = new ArrayList<>();
      for (JsonNode error : problem.path("errors")) {
        fields.add(error.path("field").asText() + ": " + error.path("why").asText());
      }
      String what =
          "%s (%s, trace %s)"
              .formatted(
                  fields.isEmpty()
                      ? problem.path("detail").asText(problem.path("title").asText())
                      : String.join("; ", fields),
                  type,
                  problem.path("trace_id").asText("unknown"));
      return new Refused(status, type, Human.clean(what), advice(type, problem));
    }

    private static String advice(String type, JsonNode problem) {
      return switch (type) {
        case "unauthorized" ->
            "The token is wrong or has expired; make one with: cupbear token create --role"
                + " operator --name NAME";
        case "forbidden" ->
            "This token's role may not do that; looking needs viewer or operator, steering needs"
                + " operator or admin.";
        case "not-found" ->
            "See what there is with: cupbear status, cupbear machines, cupbear sessions";
        case "rate-limited", "recovering", "shutting-down", "timeout" ->
            "Try again in %d s.".formatted(problem.path("retry_after_seconds").asInt(1));
        case "store-unavailable" ->
            "The scheduler is there but its Redis is not; it goes on by itself once Redis is back."
                + " Why: GET /readyz?verbose";
        case "config-invalid" -> "Nothing was changed. Look first with: cupbear config check FILE";
        default ->
            "What this means: GET /problems/%s on the same server".formatted(Human.clean(type));
      };
    }

    int status() {
      return status;
    }

    /** Something that passes by itself. */
    boolean isPassing() {
      return status == 429 || status == 503 || status == 504;
    }

    String type() {
      return type;
    }
  }

  /** An answer that cannot be understood. */
  static final class Garbled extends ApiTrouble {
    private static final long serialVersionUID = 1;

    Garbled(String where, String why) {
      super(
          ExitCode.FAILED,
          "%s answered something that is not JSON: %s".formatted(where, why),
          "Is --api the address of a scheduler's API, and not of something else?",
          null);
    }
  }
}
