// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.model;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a new Machine of a pool is made from. A new version rolls the pool. */
public record Template(
    TemplateVersion version, String image, Guest guest, Map<String, String> env) {
  public Template {
    if (image.isBlank()) {
      throw new IllegalArgumentException("template image is empty; name one, best by its digest");
    }
    SortedMap<String, String> sorted = new TreeMap<>(env);
    env = java.util.Collections.unmodifiableSortedMap(sorted);
  }

  /** The size of a Machine, in Fly's words. */
  public record Guest(String cpuKind, int cpus, int memoryMb) {
    public Guest {
      if (cpus < 1) throw new IllegalArgumentException("guest cpus is " + cpus + "; at least 1");
      if (memoryMb < 256 || memoryMb % 256 != 0) {
        throw new IllegalArgumentException(
            "guest memory_mb is " + memoryMb + "; Fly wants a positive multiple of 256");
      }
    }
  }
}
