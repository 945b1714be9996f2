// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import static cupbear.scheduler.model.Standing.ASSIGNED;
import static cupbear.scheduler.model.Standing.CONDEMNED;
import static cupbear.scheduler.model.Standing.DRAINING;
import static cupbear.scheduler.model.Standing.PARKED;
import static cupbear.scheduler.model.Standing.PROVING;
import static cupbear.scheduler.model.Standing.PROVISIONING;
import static cupbear.scheduler.model.Standing.UNKNOWN;
import static cupbear.scheduler.model.Standing.WARM;

import cupbear.scheduler.model.Standing;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The table of legal moves of a Machine. Anything else is a breach: to be counted and reported,
 * never an exception in a loop.
 */
public final class Lifecycle {
  /** What can happen to a Machine. */
  public enum Signal {
    CREATE_ACCEPTED,
    FLY_STARTED,
    LAUNCH_FAILED,
    BOOT_DEADLINE,
    PROVEN,
    DOUBTED,
    STRUCK_OUT,
    CLAIMED,
    WITHDRAWN,
    RETIRED,
    RELEASED,
    EXITED,
    GONE,
    UNREACHABLE,
    STOPPED,
    TEARDOWN_FAILED,
    TEMPLATE_OLD,
    PARKED_TOO_MANY,
    DRAIN_DEADLINE,
    START_ACCEPTED,
    ADOPTED,
    TAGGED_IN_USE,
    RECOGNISED,
    DESTROYED
  }

  /** What a signal does. */
  public sealed interface Outcome {
    record Moved(Standing to) implements Outcome {}

    /** The Machine is no more; only the journal keeps it. */
    record Forgotten() implements Outcome {}

    record Breach(String why) implements Outcome {}
  }

  private static final Map<Standing, Map<Signal, Standing>> MOVES = table();

  private static final Map<Signal, Standing> BIRTHS =
      Map.of(
          Signal.CREATE_ACCEPTED, PROVISIONING,
          Signal.ADOPTED, DRAINING,
          Signal.TAGGED_IN_USE, UNKNOWN,
          Signal.RECOGNISED, ASSIGNED);

  private Lifecycle() {}

  /**
   * Where a signal leads.
   *
   * @param from null for a Machine that the store does not know yet
   */
  public static Outcome next(@Nullable Standing from, Signal signal) {
    if (from == null) return born(signal);
    if (from == CONDEMNED && signal == Signal.DESTROYED) return new Outcome.Forgotten();
    Standing to = MOVES.getOrDefault(from, Map.of()).get(signal);
    return to != null ? new Outcome.Moved(to) : breach(from.word(), signal);
  }

  /** Is there any signal that leads from the one to the other? For checking what others wrote. */
  public static boolean allows(Standing from, Standing to) {
    return from == to || MOVES.getOrDefault(from, Map.of()).containsValue(to);
  }

  private static Outcome born(Signal signal) {
    Standing to = BIRTHS.get(signal);
    return to != null ? new Outcome.Moved(to) : breach("not in the books", signal);
  }

  private static Outcome breach(String from, Signal signal) {
    return new Outcome.Breach("a machine that is %s cannot be %s".formatted(from, signal));
  }

  private static Map<Standing, Map<Signal, Standing>> table() {
    Map<Standing, Map<Signal, Standing>> moves = new EnumMap<>(Standing.class);
    add(moves, PROVISIONING, PROVING, Signal.FLY_STARTED);
    add(moves, PROVISIONING, CONDEMNED, Signal.BOOT_DEADLINE, Signal.LAUNCH_FAILED);
    add(moves, PROVISIONING, CONDEMNED, Signal.EXITED, Signal.GONE, Signal.UNREACHABLE);
    add(moves, PROVING, WARM, Signal.PROVEN);
    add(moves, PROVING, CONDEMNED, Signal.BOOT_DEADLINE, Signal.STRUCK_OUT);
    add(moves, PROVING, DRAINING, Signal.RETIRED);
    add(moves, PROVING, CONDEMNED, Signal.EXITED, Signal.GONE, Signal.UNREACHABLE);
    add(moves, WARM, PROVING, Signal.DOUBTED);
    add(moves, WARM, ASSIGNED, Signal.CLAIMED);
    add(moves, WARM, DRAINING, Signal.RETIRED);
    add(moves, WARM, CONDEMNED, Signal.STRUCK_OUT);
    add(moves, WARM, CONDEMNED, Signal.EXITED, Signal.GONE, Signal.UNREACHABLE);
    add(moves, ASSIGNED, DRAINING, Signal.RELEASED);
    add(moves, ASSIGNED, WARM, Signal.WITHDRAWN);
    add(moves, ASSIGNED, CONDEMNED, Signal.EXITED, Signal.GONE, Signal.UNREACHABLE);
    add(moves, ASSIGNED, CONDEMNED, Signal.STRUCK_OUT);
    add(moves, DRAINING, PARKED, Signal.STOPPED);
    add(moves, DRAINING, CONDEMNED, Signal.TEMPLATE_OLD, Signal.TEARDOWN_FAILED);
    add(moves, DRAINING, CONDEMNED, Signal.DRAIN_DEADLINE, Signal.PARKED_TOO_MANY);
    add(moves, DRAINING, CONDEMNED, Signal.EXITED, Signal.GONE, Signal.UNREACHABLE);
    add(moves, PARKED, PROVISIONING, Signal.START_ACCEPTED);
    add(moves, PARKED, CONDEMNED, Signal.TEMPLATE_OLD, Signal.PARKED_TOO_MANY);
    add(moves, PARKED, CONDEMNED, Signal.GONE, Signal.UNREACHABLE);
    addRecovery(moves);
    return moves;
  }

  /** After lost data: what the store has may be older than what is true. */
  private static void addRecovery(Map<Standing, Map<Signal, Standing>> moves) {
    for (Standing unsure : List.of(PROVISIONING, PROVING, WARM, PARKED, ASSIGNED, DRAINING)) {
      add(moves, unsure, UNKNOWN, Signal.TAGGED_IN_USE);
    }
    for (Standing lagging : List.of(UNKNOWN, PROVISIONING, PROVING, WARM, PARKED, DRAINING)) {
      add(moves, lagging, ASSIGNED, Signal.RECOGNISED);
    }
    add(moves, UNKNOWN, DRAINING, Signal.RELEASED);
  }

  private static void add(
      Map<Standing, Map<Signal, Standing>> moves, Standing from, Standing to, Signal... signals) {
    for (Signal signal : signals) {
      moves.computeIfAbsent(from, any -> new EnumMap<>(Signal.class)).put(signal, to);
    }
  }
}
