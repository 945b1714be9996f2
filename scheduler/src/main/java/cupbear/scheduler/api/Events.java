// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.model.Entry;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Entries of the journal as events, and as lines of a Machine's story. */
final class Events {
  /** In the order of docs/openapi.yaml. */
  static final List<String> TOPICS =
      List.of(
          "session", "machine", "probe", "plan", "finding", "act", "config", "leader", "signal",
          "store");

  /** What the house calls otherwise than its callers do. */
  private static final Map<String, String> TOPIC_OF =
      Map.of("action", "plan", "region", "plan", "operator", "act");

  private static final Map<String, String> STORY_KIND =
      Map.of("act", "act", "operator", "act", "action", "outcome", "probe", "probe");
  private static final Pattern WORD = Pattern.compile("[a-z][a-z0-9_]{0,63}");
  private static final List<String> REASONS = List.of("reason", "ended", "kind");

  private Events() {}

  /** {@code topic.what}; empty for what is not shown. */
  static Optional<String> type(Entry entry) {
    int seam = entry.kind().indexOf('.');
    if (seam < 0) return Optional.empty();
    String before = entry.kind().substring(0, seam);
    String topic = TOPIC_OF.getOrDefault(before, before);
    String what = entry.kind().substring(seam + 1).replace('-', '_');
    return TOPICS.contains(topic) ? Optional.of(topic + "." + what) : Optional.empty();
  }

  static String topic(String type) {
    return type.substring(0, type.indexOf('.'));
  }

  static JsonObject json(Entry entry, String type) {
    JsonObject json =
        new JsonObject()
            .put("id", entry.id())
            .put("at", Texts.time(entry.at()))
            .put("type", type)
            .put("pool", entry.pool().value());
    if (entry.region() != null) json.put("region", entry.region().code());
    if (entry.machine() != null) json.put("machine", entry.machine().value());
    if (entry.session() != null) json.put("session", entry.session().value());
    if (entry.epoch() != null) json.put("epoch", entry.epoch().value());
    reason(entry).ifPresent(word -> json.put("reason", word));
    String detail = detail(entry);
    return detail.isEmpty() ? json : json.put("detail", detail);
  }

  private static Optional<String> reason(Entry entry) {
    return REASONS.stream()
        .map(each -> entry.data().getOrDefault(each, ""))
        .filter(each -> WORD.matcher(each).matches())
        .findFirst();
  }

  /** The sentence, and how it ended when the entry says so. */
  private static String detail(Entry entry) {
    StringBuilder detail = new StringBuilder(entry.why());
    for (String each : List.of("strike", "outcome", "trouble")) {
      String more = entry.data().getOrDefault(each, "");
      if (!more.isEmpty()) detail.append(detail.isEmpty() ? "" : "; ").append(more);
    }
    return detail.toString();
  }

  // ---- stories

  static JsonArray story(List<Entry> entries) {
    JsonArray story = new JsonArray();
    entries.forEach(entry -> type(entry).ifPresent(type -> story.add(line(entry, type))));
    return story;
  }

  private static JsonObject line(Entry entry, String type) {
    String source = entry.kind().substring(0, entry.kind().indexOf('.'));
    JsonObject line =
        new JsonObject()
            .put("at", Texts.time(entry.at()))
            .put("kind", STORY_KIND.getOrDefault(source, "state"))
            .put("what", type.substring(type.indexOf('.') + 1));
    reason(entry).ifPresent(word -> line.put("reason", word));
    String because = detail(entry);
    if (!because.isEmpty()) line.put("because", because);
    if (entry.session() != null) line.put("session", entry.session().value());
    if (entry.epoch() != null) line.put("epoch", entry.epoch().value());
    String by = entry.data().get("by");
    if (by != null) line.put("by", by);
    return line;
  }
}
