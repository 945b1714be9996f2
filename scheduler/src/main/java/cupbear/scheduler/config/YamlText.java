// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import cupbear.scheduler.config.Raw.Style;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads YAML into {@link Raw}, keeping every line and column. Takes the plain part of YAML only:
 * one document, texts as keys, no anchors and no tags, so that what is written is what is meant.
 * Used by one thread, once.
 */
final class YamlText {
  /** Our deepest key has seven levels; a deeper file was not made for us. */
  private static final int DEPTH_MOST = 32;

  private static final Pattern NOTHING = Pattern.compile("|~|null|Null|NULL");
  private static final Pattern FLAG = Pattern.compile("true|false");
  private static final Pattern NUMBER =
      Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?|0x[0-9a-fA-F]+");

  private final String file;
  private final List<Problem> problems;

  private YamlText(String file, List<Problem> problems) {
    this.file = file;
    this.problems = problems;
  }

  /** The file's content; whatever is wrong with it is added to the problems. */
  static Raw.Section read(String file, String text, List<Problem> problems) {
    YamlText reader = new YamlText(file, problems);
    Raw.Section empty = new Raw.Section(Map.of(), new Origin.InFile(file, 1, 1));
    try {
      return reader.document(text).orElse(empty);
    } catch (MarkedYamlEngineException e) {
      problems.add(Problem.of(reader.at(e.getProblemMark()), "", "not YAML: " + e.getProblem()));
    } catch (YamlEngineException e) {
      problems.add(Problem.of(empty.at(), "", "not YAML: " + e.getMessage()));
    } catch (Refused e) {
      problems.add(Problem.of(e.at, "", e.why));
    }
    return empty;
  }

  /** Reading cannot go on behind this. */
  private static final class Refused extends Exception {
    private static final long serialVersionUID = 1;
    private final transient Origin at;
    private final String why;

    Refused(Origin at, String why) {
      super(why);
      this.at = at;
      this.why = why;
    }
  }

  private Optional<Raw.Section> document(String text) throws Refused {
    LoadSettings settings = LoadSettings.builder().setLabel(file).build();
    Iterator<Event> events = new Parse(settings).parseString(text).iterator();
    Raw.@Nullable Section found = null;
    while (events.hasNext()) {
      Event event = events.next();
      if (!(event instanceof NodeEvent)) continue;
      if (found != null) {
        throw new Refused(at(event.getStartMark()), "a second document; put all into one");
      }
      Raw whole = value(event, events, "", 0);
      if (whole instanceof Raw.Section section) found = section;
      else if (isNothing(whole)) found = new Raw.Section(Map.of(), whole.at());
      else
        throw new Refused(whole.at(), "not a configuration; give keys such as environment: demo");
    }
    return Optional.ofNullable(found);
  }

  private static boolean isNothing(Raw value) {
    return value instanceof Raw.Text text && text.style() == Style.NOTHING;
  }

  private Raw value(Event event, Iterator<Event> rest, String path, int depth) throws Refused {
    Origin at = at(event.getStartMark());
    if (depth > DEPTH_MOST) throw new Refused(at, "nested deeper than any key of ours");
    return switch (event.getEventId()) {
      case Scalar -> scalar((ScalarEvent) event, at);
      case SequenceStart -> items(rest, at, path, depth);
      case MappingStart -> section(rest, at, path, depth);
      case Alias -> throw new Refused(at, "an alias (*name); write the value out");
      default -> throw new Refused(at, "not a value");
    };
  }

  private Raw.Text scalar(ScalarEvent event, Origin at) throws Refused {
    if (event.getTag().isPresent()) throw new Refused(at, "a tag (!name); remove it");
    String text = event.getValue();
    return new Raw.Text(text, event.isPlain() ? plain(text) : Style.QUOTED, at);
  }

  private static Style plain(String text) {
    if (NOTHING.matcher(text).matches()) return Style.NOTHING;
    if (FLAG.matcher(text).matches()) return Style.FLAG;
    return NUMBER.matcher(text).matches() ? Style.NUMBER : Style.PLAIN;
  }

  private Raw.Items items(Iterator<Event> rest, Origin at, String path, int depth) throws Refused {
    List<Raw> items = new ArrayList<>();
    for (Event each = rest.next(); isStart(each); each = rest.next()) {
      items.add(value(each, rest, path + "." + items.size(), depth + 1));
    }
    return new Raw.Items(items, at);
  }

  private Raw.Section section(Iterator<Event> rest, Origin at, String path, int depth)
      throws Refused {
    Map<String, Raw.Entry> entries = new LinkedHashMap<>();
    for (Event each = rest.next(); isStart(each); each = rest.next()) {
      Origin keyAt = at(each.getStartMark());
      if (!(each instanceof ScalarEvent name)) {
        throw new Refused(keyAt, "a key that is not a text");
      }
      String full = path.isEmpty() ? name.getValue() : path + "." + name.getValue();
      Raw value = value(rest.next(), rest, full, depth + 1);
      Raw.Entry before = entries.putIfAbsent(name.getValue(), new Raw.Entry(keyAt, value));
      if (before != null) {
        String rule = "is there twice, first at %s; keep one".formatted(before.at());
        problems.add(Problem.of(keyAt, full, rule));
      }
    }
    return new Raw.Section(entries, at);
  }

  private static boolean isStart(Event event) {
    return event instanceof NodeEvent;
  }

  private Origin at(Optional<Mark> mark) {
    return mark.<Origin>map(m -> new Origin.InFile(file, m.getLine() + 1, m.getColumn() + 1))
        .orElse(new Origin.InFile(file, 1, 1));
  }
}
