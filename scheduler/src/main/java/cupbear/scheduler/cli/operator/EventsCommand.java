// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import cupbear.scheduler.cli.ExitCode;
import cupbear.scheduler.config.Amounts;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code cupbear events}: what happened, and with {@code --follow} what happens. It comes back by
 * itself after a break, with the last id it saw, so that nothing is missed or shown twice.
 */
@Command(name = "events", description = "Show what happened lately; --follow goes on with it.")
public final class EventsCommand extends ApiCommand {
  private static final Duration SINCE_DEFAULT = Duration.ofMinutes(10);

  @Mixin RegionOption region = new RegionOption();

  @Option(
      names = {"-f", "--follow"},
      description = "go on until Ctrl-C")
  boolean follow;

  @Option(
      names = "--since",
      paramLabel = "DURATION",
      description = "begin so long ago; default: 10m, with --follow now")
  @Nullable String since;

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      split = ",",
      description =
          "only these: session, machine, probe, plan, finding, act, config, leader, signal, store")
  List<String> topics = List.of();

  @Option(
      names = {"-n", "--count"},
      paramLabel = "N",
      description = "only the newest so many; with --follow, end after so many")
  int count = Integer.MAX_VALUE;

  private @Nullable String last;
  private int shown;

  /** Those that may be among the newest, where not all are wanted. */
  private final Deque<ServerEvents.Event> newest = new ArrayDeque<>();

  private boolean resumed;
  private boolean over;

  @Override
  int run(Api api) throws ApiTrouble {
    if (count < 1) throw usage("--count is %d; give a number above 0".formatted(count));
    last = position();
    boolean opened = false;
    while (true) {
      long pause = 1000;
      try (ServerEvents events = new ServerEvents(api.events(path(), last))) {
        opened = true;
        read(events);
        pause = events.retryMillis();
      } catch (ApiTrouble.Unreachable gone) {
        if (!opened) throw gone;
      } catch (ApiTrouble.Refused refused) {
        if (!opened || !refused.isPassing()) throw refused;
      }
      if (over) return ExitCode.OK;
      resumed = true;
      say("The stream broke; going on from where it was.");
      try {
        TimeUnit.MILLISECONDS.sleep(pause);
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        return ExitCode.OK;
      }
    }
  }

  private @Nullable String position() {
    if (since == null && follow) return null;
    Duration back =
        since == null
            ? SINCE_DEFAULT
            : Amounts.duration(since)
                .orElseThrow(
                    () -> usage("--since is '%s'; give a duration such as 10m".formatted(since)));
    // An id of the journal begins with its time.
    return Math.max(0, clock.instant().minus(back).toEpochMilli()) + "-0";
  }

  private String path() {
    List<String> query = new ArrayList<>();
    String pool = options.pool(spec);
    String only = region.value(spec);
    if (pool != null) query.add("pool=" + pool);
    if (only != null) query.add("region=" + only);
    for (String topic : topics) {
      if (!topic.matches("[a-z]+")) throw usage("--topic is '%s'".formatted(topic));
    }
    if (!topics.isEmpty()) query.add("topic=" + String.join(",", topics));
    return "/v1/events" + (query.isEmpty() ? "" : "?" + String.join("&", query));
  }

  private void read(ServerEvents events) {
    while (!over) {
      switch (events.next()) {
        case null -> {
          return;
        }
        case ServerEvents.Comment comment -> {
          over = comment.text().equals("now") && !follow;
          if (over) newest.forEach(this::show);
        }
        case ServerEvents.Event event -> {
          if (!event.id().isEmpty()) last = event.id();
          if (follow || isAboutTheStream(event)) show(event);
          else keep(event);
        }
      }
    }
  }

  private void keep(ServerEvents.Event event) {
    newest.add(event);
    if (newest.size() > count) newest.remove();
  }

  private static boolean isAboutTheStream(ServerEvents.Event event) {
    return event.type().equals("gap") || event.type().equals("overrun");
  }

  private void show(ServerEvents.Event event) {
    boolean aboutTheStream = isAboutTheStream(event);
    if (event.type().equals("gap") && shown == 0 && !resumed) {
      // Nobody has seen what is missing here: it was asked for by time.
      say("(the journal begins later than that)");
      return;
    }
    try {
      JsonNode data = Api.mapper().readTree(event.data());
      if (output.isJson()) out().println(data);
      else if (aboutTheStream) say("(" + Human.clean(data.path("detail").asText()) + ")");
      else out().println(line(data));
      out().flush();
    } catch (JsonProcessingException garbled) {
      say("(an event that cannot be read was left out)");
    }
    if (!aboutTheStream && ++shown >= count && follow) over = true;
  }

  /** One event in one line; what may be long comes last. */
  static String line(JsonNode event) {
    List<String> more = new ArrayList<>();
    for (String name : List.of("session", "reason", "detail")) {
      if (event.has(name)) more.add(event.path(name).asText());
    }
    return Human.clean(
            "%s  %-4s  %-21s  %-14s  %s"
                .formatted(
                    Human.moment(event.path("at").asText()),
                    event.path("region").asText("-"),
                    event.path("type").asText(),
                    event.path("machine").asText("-"),
                    String.join("; ", more)))
        .stripTrailing();
  }
}
