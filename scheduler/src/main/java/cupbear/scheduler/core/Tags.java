// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.Desired;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.Machine;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Power;
import cupbear.scheduler.model.Reason;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.TemplateVersion;
import cupbear.scheduler.model.Why;
import java.util.Map;
import java.util.TreeMap;

/** The metadata a Machine carries at Fly: a projection for people and filters, not the truth. */
public final class Tags {
  private Tags() {}

  /** All tags of a Machine that stands so. */
  public static Map<String, String> of(
      PoolName pool,
      Region region,
      Desired desired,
      TemplateVersion template,
      Keep keep,
      Standing standing) {
    Map<String, String> tags = new TreeMap<>(desired.tags());
    tags.put("role", "warm-pool");
    tags.put("pool", pool.value());
    tags.put("region", region.code());
    tags.put("template_version", template.value());
    tags.put("keep", keep.word());
    tags.put("state", standing.word());
    return tags;
  }

  static void write(Scene scene, Draft draft) {
    for (Machine machine : scene.machines()) {
      if (!isWorthTagging(machine)) continue;
      Map<String, String> differing = differing(scene, machine);
      if (differing.isEmpty()) continue;
      Why why =
          new Why(Reason.TAG_DRIFT, "differ at Fly: " + String.join(", ", differing.keySet()));
      draft.offer(new Action.Retag(machine.id(), differing, why));
    }
  }

  /** States of seconds are not worth a call, nor is a Machine on a host that cannot take one. */
  private static boolean isWorthTagging(Machine machine) {
    Power power = machine.fly().power();
    if (power == Power.ABSENT || power == Power.DESTROYED || !machine.fly().hostOk()) return false;
    return switch (machine.state().standing()) {
      case WARM, ASSIGNED, DRAINING, PARKED -> true;
      case PROVISIONING, PROVING, CONDEMNED, UNKNOWN -> false;
    };
  }

  private static Map<String, String> differing(Scene scene, Machine machine) {
    Map<String, String> wanted =
        of(
            scene.seen().pool(),
            scene.seen().region(),
            scene.desired(),
            machine.template(),
            machine.keep(),
            machine.state().standing());
    wanted.entrySet().removeAll(machine.fly().tags().entrySet());
    return wanted;
  }
}
