// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import cupbear.scheduler.model.ActionKind;
import cupbear.scheduler.model.Finding;
import cupbear.scheduler.model.Reason;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.Verdict;
import cupbear.scheduler.port.Probes;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The closed sets behind the labels. Whatever comes in is mapped onto one of these words, so that
 * every series exists from the start and their number is known.
 */
final class Labels {
  static final String OTHER = "other";

  private Labels() {}

  /** How a session request ended, as far as it matters to who is on duty. */
  enum Assign {
    ASSIGNED,
    /** None turned warm in time. */
    NO_CAPACITY,
    QUEUE_FULL,
    /** The store is away, or being rebuilt. */
    UNAVAILABLE,
    /** The caller's own doing: it hung up, or its key was used before. Says nothing of us. */
    CALLER;

    /** From the word of an answer. */
    static Assign of(String outcome) {
      return switch (outcome) {
        case "assigned" -> ASSIGNED;
        case "no_capacity" -> NO_CAPACITY;
        case "queue_full" -> QUEUE_FULL;
        case "store_down", "recovering" -> UNAVAILABLE;
        default -> CALLER;
      };
    }
  }

  /** How an action ended. */
  enum Act {
    DONE,
    /** Nothing was done: the store did not agree, or this replica may not lead any more. */
    REFUSED,
    /** Fly, the store or a command failed, or nobody knows. */
    FAILED;

    /** From the word of an ending. */
    static Act of(String outcome) {
      return switch (outcome) {
        case "done" -> DONE;
        case "refused", "not_leading" -> REFUSED;
        default -> FAILED;
      };
    }
  }

  /** Why Machines are given up. */
  static final Set<Reason> REPLACED =
      EnumSet.of(
          Reason.STRUCK_OUT,
          Reason.BOOT_DEADLINE,
          Reason.LAUNCH_FAILED,
          Reason.EXITED,
          Reason.STOPPED_BY_OTHERS,
          Reason.GONE,
          Reason.HOST_DOUBTFUL,
          Reason.TEARDOWN_FAILED,
          Reason.DRAIN_STUCK,
          Reason.UNKNOWN_STATE,
          Reason.OLD_TEMPLATE,
          Reason.AFTER_SESSION,
          Reason.PARKED_MAX,
          Reason.OPERATOR);

  static String replaced(Reason reason) {
    return REPLACED.contains(reason) ? reason.word() : OTHER;
  }

  /** What must not happen. */
  static final List<String> RULES = List.of("loop_broke", "task_broke", "inbox_full", OTHER);

  static String rule(String what) {
    if (RULES.contains(what)) return what;
    return what.startsWith("the inbox was full") ? "inbox_full" : OTHER;
  }

  /** The script that every leader writes with, each few seconds. */
  static final String LEAD = "lead";

  /** The scripts of the store; a test holds them against resources/lua. */
  static final List<String> SCRIPTS =
      List.of(
          "claim",
          "expire",
          "journal",
          LEAD,
          "lose",
          "mark",
          "move",
          "prove",
          "recover",
          "session",
          "sessions",
          "snapshot",
          "vouch",
          "wait");

  static final List<String> CALL_OUTCOMES = List.of("ok", "failed");

  /** What this product asks of Fly; anything else is counted together. */
  static final List<String> FLY_ACTIONS =
      List.of(
          "list_machines",
          "get_machine",
          "create_machine",
          "delete_machine",
          "start",
          "stop",
          "exec",
          "wait",
          "patch_metadata",
          OTHER);

  static final List<String> FLY_OUTCOMES =
      List.of("ok", "refused", "rate_limited", "denied", "failed");
  static final List<String> FLY_KINDS = List.of("read", "write", "wait");
  static final List<String> STATUSES = List.of("2xx", "4xx", "5xx");
  static final List<String> AUTH_REASONS = List.of("missing", "unknown", "expired", "forbidden");

  static String status(int code) {
    return code >= 500 ? "5xx" : code >= 400 ? "4xx" : "2xx";
  }

  static List<String> states() {
    return words(Standing.values());
  }

  static List<String> actions() {
    return words(ActionKind.values());
  }

  static List<String> findings() {
    return words(Finding.Kind.values());
  }

  static List<String> verdicts() {
    return words(Verdict.values());
  }

  /** The first probe of a boot is a full one. */
  static final List<String> DEPTHS = List.of("guacd", "full");

  static String depth(Probes.Depth depth) {
    return switch (depth) {
      case GUACD -> "guacd";
      case FULL, FIRST -> "full";
    };
  }

  static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static List<String> words(Enum<?>[] values) {
    return Stream.of(values).map(Labels::word).toList();
  }
}
