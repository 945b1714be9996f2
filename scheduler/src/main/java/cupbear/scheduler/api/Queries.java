// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionView;
import cupbear.scheduler.model.Standing;
import io.vertx.core.MultiMap;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The parser of what stands behind the question mark; as strict as that of the bodies. */
final class Queries {
  private static final int LIMIT_DEFAULT = 100;
  private static final int LIMIT_MOST = 500;
  private static final Pattern CURSOR = Pattern.compile("[A-Za-z0-9_-]{1,128}");

  /**
   * One page of a list.
   *
   * @param after the last key of the page before; null for the first page
   * @param state null for all
   */
  record Page<S>(
      @Nullable PoolName pool,
      @Nullable Region region,
      @Nullable S state,
      int limit,
      @Nullable String after) {}

  /** What a reader of events wants to see. */
  record Watching(@Nullable PoolName pool, @Nullable Region region, Set<String> topics) {}

  private Queries() {}

  /** No question mark, or nothing behind it. */
  static Parsed<Boolean> none(MultiMap query) {
    return fields(query).give(() -> true);
  }

  static Parsed<Page<SessionView.Stage>> sessions(MultiMap query) {
    return page(
        query,
        value -> {
          String word = Fields.text(value);
          return switch (word) {
            case "granted", "connected", "lost" ->
                SessionView.Stage.valueOf(word.toUpperCase(Locale.ROOT));
            default -> throw new IllegalArgumentException("must be granted, connected or lost");
          };
        });
  }

  static Parsed<Page<Standing>> machines(MultiMap query) {
    return page(
        query,
        value ->
            Stream.of(Standing.values())
                .filter(each -> each.word().equals(value))
                .findFirst()
                .orElseThrow(() ->
                    new IllegalArgumentException(
                        "must be one of "
                            + String.join(
                                ", ", Stream.of(Standing.values()).map(Standing::word).toList()))));
  }

  private static <S> Parsed<Page<S>> page(MultiMap query, Fields.Reading<S> states) {
    Fields fields = fields(query);
    var pool = fields.optional("pool", Readings::pool);
    var region = fields.optional("region", Readings::region);
    var state = fields.optional("state", states);
    var limit = fields.optional("limit", Queries::limit);
    var cursor = fields.optional("cursor", Queries::cursor);
    return fields.give(() ->
        new Page<>(pool.get(), region.get(), state.get(), limit.or(LIMIT_DEFAULT), cursor.get()));
  }

  static Parsed<java.util.Optional<Region>> region(MultiMap query) {
    Fields fields = fields(query);
    var region = fields.optional("region", Readings::region);
    return fields.give(() -> java.util.Optional.ofNullable(region.get()));
  }

  static Parsed<Boolean> dryRun(MultiMap query) {
    Fields fields = fields(query);
    var dryRun = fields.optional("dry_run", Queries::truth);
    return fields.give(() -> dryRun.or(false));
  }

  /** A bare {@code ?verbose} means yes. */
  static Parsed<Boolean> verbose(MultiMap query) {
    Fields fields = fields(query);
    var verbose = fields.optional("verbose", value -> value.equals("") || truth(value));
    return fields.give(() -> verbose.or(false));
  }

  static Parsed<Watching> watching(MultiMap query) {
    Fields fields = fields(query);
    var pool = fields.optional("pool", Readings::pool);
    var region = fields.optional("region", Readings::region);
    var topics = fields.optional("topic", Queries::topics);
    return fields.give(() -> new Watching(pool.get(), region.get(), topics.or(Set.of())));
  }

  private static Set<String> topics(Object value) {
    Set<String> topics = new LinkedHashSet<>();
    for (String each : Fields.text(value).split(",", -1)) {
      boolean known = Events.TOPICS.contains(each);
      if (!known || !topics.add(each)) {
        throw new IllegalArgumentException(
            "must be some of %s, each once, with commas"
                .formatted(String.join(", ", Events.TOPICS)));
      }
    }
    return topics;
  }

  private static int limit(Object value) {
    String text = Fields.text(value);
    int limit = text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : 0;
    if (limit >= 1 && limit <= LIMIT_MOST) return limit;
    throw new IllegalArgumentException("must be a whole number from 1 to " + LIMIT_MOST);
  }

  private static boolean truth(Object value) {
    return switch (Fields.text(value)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("must be true or false");
    };
  }

  private static String cursor(Object value) {
    String text = Fields.text(value);
    if (CURSOR.matcher(text).matches()) {
      try {
        String key = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
        if (key.matches("[\\x21-\\x7e]{1,96}")) return key;
      } catch (IllegalArgumentException notOne) {
        // Said below.
      }
    }
    throw new IllegalArgumentException("must be the next_cursor of the page before");
  }

  static String cursorOf(String key) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(key.getBytes(StandardCharsets.UTF_8));
  }

  private static Fields fields(MultiMap query) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (String name : query.names()) {
      List<String> all = query.getAll(name);
      values.put(name, all.size() == 1 ? all.getFirst() : all);
    }
    return new Fields(values);
  }
}
