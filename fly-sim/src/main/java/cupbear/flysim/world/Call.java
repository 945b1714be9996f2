// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One request, as it came.
 *
 * @param action which call
 * @param path the parts of the route that vary, by name
 * @param query every query parameter with all its values
 * @param authorization the header, or ""
 * @param nonce the lease nonce header, or ""
 * @param body the request body, or ""
 */
public record Call(
    Action action,
    Map<String, String> path,
    Map<String, List<String>> query,
    String authorization,
    String nonce,
    String body) {

  String part(String name) {
    return path.getOrDefault(name, "");
  }

  /** The first value, or "". */
  String query(String name) {
    List<String> values = query.getOrDefault(name, List.of());
    return values.isEmpty() ? "" : values.getFirst();
  }

  /** All values, repeated or separated by commas. */
  List<String> queryList(String name) {
    List<String> all = new ArrayList<>();
    for (String value : query.getOrDefault(name, List.of())) {
      for (String one : value.split(",", -1)) {
        if (!one.isBlank()) {
          all.add(one.strip());
        }
      }
    }
    return all;
  }

  boolean flag(String name) {
    String value = query(name);
    return switch (value) {
      case "", "false", "0" -> false;
      case "true", "1" -> true;
      default -> throw Errors.invalid(name + " must be true or false, not " + value);
    };
  }

  /** The {@code metadata.key=value} filters. */
  Map<String, String> metadataFilters() {
    Map<String, String> filters = new LinkedHashMap<>();
    String prefix = "metadata.";
    query.forEach((name, values) -> {
      if (name.startsWith(prefix) && !values.isEmpty()) {
        filters.put(name.substring(prefix.length()), values.getFirst());
      }
    });
    return filters;
  }
}
