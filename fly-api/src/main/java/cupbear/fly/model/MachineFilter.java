// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which Machines of an app to list. Everything given must hold.
 *
 * @param region empty for all
 * @param states empty for all
 * @param metadata exact matches
 * @param summary true drops configuration, checks, events and host status
 */
public record MachineFilter(
    String region,
    List<MachineState.Kind> states,
    Map<String, String> metadata,
    boolean includeDeleted,
    boolean includeLeases,
    boolean summary) {

  public static final MachineFilter ALL =
      new MachineFilter("", List.of(), Map.of(), false, false, false);

  public MachineFilter {
    region = Absent.text(region);
    states = Absent.list(states);
    metadata = Absent.map(metadata);
  }

  public MachineFilter inRegion(String code) {
    return new MachineFilter(code, states, metadata, includeDeleted, includeLeases, summary);
  }

  public MachineFilter inState(MachineState.Kind... wanted) {
    return new MachineFilter(
        region, List.of(wanted), metadata, includeDeleted, includeLeases, summary);
  }

  public MachineFilter tagged(String key, String value) {
    Map<String, String> more = new LinkedHashMap<>(metadata);
    more.put(key, value);
    return new MachineFilter(region, states, more, includeDeleted, includeLeases, summary);
  }

  public MachineFilter withDeleted() {
    return new MachineFilter(region, states, metadata, true, includeLeases, summary);
  }

  public MachineFilter withLeases() {
    return new MachineFilter(region, states, metadata, includeDeleted, true, summary);
  }

  public MachineFilter summarised() {
    return new MachineFilter(region, states, metadata, includeDeleted, includeLeases, true);
  }
}
