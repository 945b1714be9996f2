// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The story of one run, one line per thing that happened, and a hash over it: the same seed must
 * give the same hash, twice and on any machine. Switched off it costs nothing, because a run that
 * turns out to be interesting can be run again.
 */
final class Trace {
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private final Agenda agenda;
  private final @Nullable Consumer<String> reader;
  private long hash = FNV_OFFSET;
  private long lines;

  /**
   * A trace.
   *
   * @param reader gets each line; null for a trace that is off
   */
  Trace(Agenda agenda, @Nullable Consumer<String> reader) {
    this.agenda = agenda;
    this.reader = reader;
  }

  boolean isOn() {
    return reader != null;
  }

  /** Writes one line. Ask {@link #isOn} first where making the parts costs something. */
  void line(String who, String what, Object... details) {
    if (reader == null) return;
    StringBuilder text = new StringBuilder(96);
    text.append(clock(agenda.nanos())).append(' ');
    pad(text, who, 9);
    pad(text, what, 14);
    for (Object detail : details) text.append(' ').append(detail);
    String line = text.toString();
    for (int i = 0; i < line.length(); i++) hash = (hash ^ line.charAt(i)) * FNV_PRIME;
    hash = (hash ^ '\n') * FNV_PRIME;
    lines++;
    reader.accept(line);
  }

  String hash() {
    return String.format(Locale.ROOT, "%016x", hash ^ (lines * FNV_PRIME));
  }

  static String clock(long nanos) {
    long micros = nanos / 1000;
    long seconds = micros / 1_000_000;
    return String.format(
        Locale.ROOT,
        "%02d:%02d:%02d.%06d",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60,
        micros % 1_000_000);
  }

  private static void pad(StringBuilder text, String word, int width) {
    text.append(word);
    for (int i = word.length(); i < width; i++) text.append(' ');
  }
}
