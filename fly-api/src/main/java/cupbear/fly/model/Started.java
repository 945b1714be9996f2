// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

/**
 * A start that Fly accepted; the Machine is not up yet.
 *
 * @param migrated true when it moves to another host: its address may change
 */
public record Started(MachineState previousState, boolean migrated, String newHost) {
  public Started {
    previousState = previousState == null ? MachineState.of("") : previousState;
    newHost = Absent.text(newHost);
  }
}
