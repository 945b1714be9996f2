// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One stream of server-sent events, read line by line. A stream that says nothing at all for three
 * heartbeats has a dead wire, and is closed. One thread reads.
 */
final class ServerEvents implements AutoCloseable {
  /** The server says something every 15 s. */
  private static final long SILENCE_MOST_SECONDS = 45;

  /** What came. */
  sealed interface Item {}

  record Event(String id, String type, String data) implements Item {}

  record Comment(String text) implements Item {}

  private final InputStream stream;
  private final BufferedReader lines;
  private final ScheduledExecutorService watch =
      Executors.newSingleThreadScheduledExecutor(
          work -> Thread.ofPlatform().daemon().name("events-watch").unstarted(work));
  private @Nullable Future<?> alarm;
  private long retryMillis = 3000;

  ServerEvents(InputStream stream) {
    this.stream = stream;
    this.lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
  }

  /** How long to wait before coming back, as the server wishes. */
  long retryMillis() {
    return retryMillis;
  }

  /** Waits for the next; null when the stream has ended, in whatever way. */
  @Nullable Item next() {
    String id = "";
    String type = "";
    StringBuilder data = new StringBuilder();
    try {
      for (String line = line(); line != null; line = line()) {
        if (line.startsWith(":")) return new Comment(line.substring(1).strip());
        if (line.isEmpty()) {
          if (!data.isEmpty()) return new Event(id, type, data.toString().stripTrailing());
          continue;
        }
        int seam = line.indexOf(':');
        String name = seam < 0 ? line : line.substring(0, seam);
        String value = seam < 0 ? "" : line.substring(seam + 1).replaceFirst("^ ", "");
        switch (name) {
          case "id" -> id = value;
          case "event" -> type = value;
          case "data" -> data.append(value).append('\n');
          case "retry" -> retry(value);
          default -> {}
        }
      }
    } catch (IOException broken) {
      // The reader comes back with the last id; why the wire broke does not matter.
    }
    return null;
  }

  private void retry(String value) {
    if (value.matches("[0-9]{1,6}")) retryMillis = Long.parseLong(value);
  }

  private @Nullable String line() throws IOException {
    Future<?> before = alarm;
    if (before != null) before.cancel(false);
    alarm = watch.schedule(this::close, SILENCE_MOST_SECONDS, TimeUnit.SECONDS);
    return lines.readLine();
  }

  @Override
  public void close() {
    watch.shutdownNow();
    try {
      stream.close();
    } catch (IOException ignored) {
      // It is over either way.
    }
  }
}
