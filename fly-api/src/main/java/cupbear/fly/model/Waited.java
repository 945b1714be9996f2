// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

/**
 * The end of a successful wait.
 *
 * @param state empty from an older server, which says only that it came to be
 */
public record Waited(MachineState state, String eventId, String version) {
  public Waited {
    state = state == null ? MachineState.of("") : state;
    eventId = Absent.text(eventId);
    version = Absent.text(version);
  }
}
