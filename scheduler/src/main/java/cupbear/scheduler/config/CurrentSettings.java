// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * The settings that hold now. Any thread may read them; reloads run one after another, on the
 * thread that asks for them, and so do the listeners. A reload is taken over whole or not at all.
 */
public final class CurrentSettings {
  /** What came of a reload. */
  public sealed interface Outcome {
    /** The new configuration says what already holds. */
    record Unchanged() implements Outcome {}

    /** The new settings hold. */
    record Swapped(List<Reload.Change> changes) implements Outcome {}

    /** Good, but not under a running scheduler: nothing was taken over. */
    record NeedsRestart(List<Reload.Change> changes) implements Outcome {}

    /** Wrong: nothing was taken over. */
    record Refused(List<Problem> problems) implements Outcome {}
  }

  /** Hears of new settings after they hold. */
  public interface Listener {
    void changed(Settings before, Settings after);
  }

  private final Supplier<Configuration> source;
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private volatile Configuration.Valid current;

  /**
   * @param source reads the configuration again, such as {@code () -> Configuration.load(file,
   *     env)}
   */
  public CurrentSettings(Configuration.Valid first, Supplier<Configuration> source) {
    this.current = first;
    this.source = source;
  }

  public Settings get() {
    return current.settings();
  }

  /** Every value that holds, with its origin. */
  public List<Effective> effective() {
    return current.effective();
  }

  public void onChange(Listener listener) {
    listeners.add(listener);
  }

  /** Reads the configuration again and takes it over when it is good. */
  public synchronized Outcome reload() {
    return switch (source.get()) {
      case Configuration.Invalid invalid -> new Outcome.Refused(invalid.problems());
      case Configuration.Valid valid -> takeOver(valid);
    };
  }

  private Outcome takeOver(Configuration.Valid next) {
    Configuration.Valid before = current;
    Reload reload = Reload.compare(before, next);
    if (!reload.refused().isEmpty()) return new Outcome.Refused(reload.refused());
    if (!reload.restart().isEmpty()) return new Outcome.NeedsRestart(reload.restart());
    current = next;
    // The order of regions is no key of its own, but it decides where a session goes.
    if (before.settings().equals(next.settings())) return new Outcome.Unchanged();
    listeners.forEach(each -> each.changed(before.settings(), next.settings()));
    return new Outcome.Swapped(reload.live());
  }
}
