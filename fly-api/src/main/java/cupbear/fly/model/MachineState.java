// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The state of a Machine by Fly's word. Fly adds words without notice, so the word is kept and
 * {@link #kind} says what we make of it.
 */
public record MachineState(@JsonValue String word) {

  /** The words we know; {@code UNKNOWN} for any other. */
  public enum Kind {
    CREATED(Phase.RESTING),
    STARTED(Phase.RESTING),
    STOPPED(Phase.RESTING),
    SUSPENDED(Phase.RESTING),
    FAILED(Phase.RESTING),
    CREATING(Phase.MOVING),
    STARTING(Phase.MOVING),
    STOPPING(Phase.MOVING),
    RESTARTING(Phase.MOVING),
    SUSPENDING(Phase.MOVING),
    DESTROYING(Phase.MOVING),
    UPDATING(Phase.MOVING),
    REPLACING(Phase.MOVING),
    LAUNCH_FAILED(Phase.MOVING),
    DESTROYED(Phase.OVER),
    REPLACED(Phase.OVER),
    MIGRATED(Phase.OVER),
    UNKNOWN(Phase.UNKNOWN);

    private final Phase phase;

    Kind(Phase phase) {
      this.phase = phase;
    }

    public Phase phase() {
      return phase;
    }

    /** As the API writes it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Whether a state stays by itself, passes, or is the end (of the Machine or of one version). */
  public enum Phase {
    RESTING,
    MOVING,
    OVER,
    UNKNOWN
  }

  public MachineState {
    word = Absent.text(word);
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static MachineState of(@Nullable String word) {
    return new MachineState(Absent.text(word));
  }

  public static MachineState of(Kind kind) {
    return new MachineState(kind.word());
  }

  public Kind kind() {
    return Words.find(Kind.class, word, Kind.UNKNOWN);
  }

  public boolean is(Kind... kinds) {
    Kind mine = kind();
    for (Kind kind : kinds) {
      if (kind == mine) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return word;
  }
}
