// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import static cupbear.scheduler.model.Phase.ASSIGNED;
import static cupbear.scheduler.model.Phase.CONDEMNED;
import static cupbear.scheduler.model.Phase.DRAINING;
import static cupbear.scheduler.model.Phase.PARKED;
import static cupbear.scheduler.model.Phase.PROVING;
import static cupbear.scheduler.model.Phase.PROVISIONING;
import static cupbear.scheduler.model.Phase.WARM;

import cupbear.scheduler.model.Phase;
import java.util.EnumMap;
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
    DESTROYED
  }

  /** What a signal does. */
  public sealed interface Outcome {
    record Moved(Phase to) implements Outcome {}

    /** The Machine is no more; only the journal keeps it. */
    record Forgotten() implements Outcome {}

    record Breach(String why) implements Outcome {}
  }

  private static final Map<Phase, Map<Signal, Phase>> MOVES = table();

  private Lifecycle() {}

  /**
   * Where a signal leads.
   *
   * @param from null for a Machine that the store does not know yet
   */
  public static Outcome next(@Nullable Phase from, Signal signal) {
    if (from == null) return born(signal);
    if (from == CONDEMNED && signal == Signal.DESTROYED) return new Outcome.Forgotten();
    Phase to = MOVES.getOrDefault(from, Map.of()).get(signal);
    return to != null ? new Outcome.Moved(to) : breach(from.word(), signal);
  }

  private static Outcome born(Signal signal) {
    return switch (signal) {
      case CREATE_ACCEPTED -> new Outcome.Moved(PROVISIONING);
      case ADOPTED -> new Outcome.Moved(DRAINING);
      default -> breach("unknown", signal);
    };
  }

  private static Outcome breach(String from, Signal signal) {
    return new Outcome.Breach("a machine that is %s cannot be %s".formatted(from, signal));
  }

  private static Map<Phase, Map<Signal, Phase>> table() {
    Map<Phase, Map<Signal, Phase>> moves = new EnumMap<>(Phase.class);
    add(moves, PROVISIONING, PROVING, Signal.FLY_STARTED);
    add(moves, PROVISIONING, CONDEMNED, Signal.BOOT_DEADLINE, Signal.LAUNCH_FAILED);
    add(moves, PROVISIONING, CONDEMNED, Signal.EXITED, Signal.GONE, Signal.UNREACHABLE);
    add(moves, PROVING, WARM, Signal.PROVEN);
    add(moves, PROVING, CONDEMNED, Signal.BOOT_DEADLINE, Signal.STRUCK_OUT);
    add(moves, PROVING, CONDEMNED, Signal.EXITED, Signal.GONE, Signal.UNREACHABLE);
    add(moves, WARM, PROVING, Signal.DOUBTED);
    add(moves, WARM, ASSIGNED, Signal.CLAIMED);
    add(moves, WARM, DRAINING, Signal.RETIRED);
    add(moves, WARM, CONDEMNED, Signal.EXITED, Signal.GONE, Signal.UNREACHABLE);
    add(moves, ASSIGNED, DRAINING, Signal.RELEASED);
    add(moves, ASSIGNED, CONDEMNED, Signal.EXITED, Signal.GONE, Signal.UNREACHABLE);
    add(moves, ASSIGNED, CONDEMNED, Signal.STRUCK_OUT);
    add(moves, DRAINING, PARKED, Signal.STOPPED);
    add(moves, DRAINING, CONDEMNED, Signal.TEMPLATE_OLD, Signal.TEARDOWN_FAILED);
    add(moves, DRAINING, CONDEMNED, Signal.DRAIN_DEADLINE, Signal.PARKED_TOO_MANY);
    add(moves, DRAINING, CONDEMNED, Signal.EXITED, Signal.GONE, Signal.UNREACHABLE);
    add(moves, PARKED, PROVISIONING, Signal.START_ACCEPTED);
    add(moves, PARKED, CONDEMNED, Signal.TEMPLATE_OLD, Signal.PARKED_TOO_MANY);
    add(moves, PARKED, CONDEMNED, Signal.GONE, Signal.UNREACHABLE);
    return moves;
  }

  private static void add(
      Map<Phase, Map<Signal, Phase>> moves, Phase from, Phase to, Signal... signals) {
    for (Signal signal : signals) {
      moves.computeIfAbsent(from, any -> new EnumMap<>(Signal.class)).put(signal, to);
    }
  }
}
