// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

/** A disk of an app. It pins its Machine to one host, so pool Machines have none. */
public record Volume(
    String id,
    String name,
    String state,
    String region,
    int sizeGb,
    boolean encrypted,
    String attachedMachineId,
    HostStatus hostStatus) {
  public Volume {
    id = Absent.text(id);
    name = Absent.text(name);
    state = Absent.text(state);
    region = Absent.text(region);
    attachedMachineId = Absent.text(attachedMachineId);
    hostStatus = hostStatus == null ? HostStatus.UNKNOWN : hostStatus;
  }
}
