// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Keys to set and keys to remove in one step; all others stay. No claim can be decided with it: a
 * metadata write makes no new version, so two writers that read the same version both succeed.
 *
 * @param machineVersion refuse when the Machine has another {@code instance_id}; empty to write
 *     anyway
 */
public record MetadataChange(Map<String, String> set, Set<String> remove, String machineVersion) {

  public static final MetadataChange NOTHING = new MetadataChange(Map.of(), Set.of(), "");

  public MetadataChange {
    set = Absent.map(set);
    remove = Set.copyOf(remove);
    machineVersion = Absent.text(machineVersion);
  }

  public static MetadataChange of(Map<String, String> set) {
    return new MetadataChange(set, Set.of(), "");
  }

  public MetadataChange setting(String key, String value) {
    Map<String, String> more = new LinkedHashMap<>(set);
    more.put(key, value);
    return new MetadataChange(more, remove, machineVersion);
  }

  public MetadataChange removing(String key) {
    Set<String> more = new LinkedHashSet<>(remove);
    more.add(key);
    return new MetadataChange(set, more, machineVersion);
  }

  public MetadataChange ifVersion(String instanceId) {
    return new MetadataChange(set, remove, instanceId);
  }
}
