// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What was written, by full key; where each name that the operator chose was first used; and where
 * each section begins.
 */
final class Written {
  final Map<String, Raw> values = new LinkedHashMap<>();
  final Map<String, Origin> names = new LinkedHashMap<>();
  final Map<String, Origin> sections = new LinkedHashMap<>();

  /** Sections with a problem of their own: what is missing in them is not said as well. */
  final Set<String> broken = new HashSet<>();

  /** The names directly below a key, in written order: {@code pools} gives the pools. */
  List<String> below(String path) {
    String prefix = path + ".";
    return names.keySet().stream()
        .filter(each -> each.startsWith(prefix))
        .map(each -> each.substring(prefix.length()))
        .filter(each -> each.indexOf('.') < 0)
        .toList();
  }

  Origin originOf(String path, Origin otherwise) {
    Raw value = values.get(path);
    if (value != null) return value.at();
    @Nullable Origin name = names.get(path);
    return name != null ? name : sections.getOrDefault(path, otherwise);
  }
}
