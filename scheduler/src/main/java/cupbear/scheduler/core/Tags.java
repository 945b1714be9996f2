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
import java.util.Set;
import java.util.TreeMap;

/** The metadata a Machine carries at Fly: a projection for people and filters, not the truth. */
public final class Tags {
  private static final String ROLE = "warm-pool";

  /** Those that we write whatever is wished for. */
  private static final Set<String> OWN =
      Set.of("role", "pool", "region", "template_version", "keep", "state");

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
    tags.put("role", ROLE);
    tags.put("pool", pool.value());
    tags.put("region", region.code());
    tags.put("template_version", template.value());
    tags.put("keep", keep.word());
    tags.put("state", standing.word());
    return tags;
  }

  static void write(Scene scene, Draft draft) {
    for (Machine machine : scene.machines()) {
      if (!isWorthTagging(machine) || agrees(scene, machine)) continue;
      Map<String, String> differing = differing(scene, machine);
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

  /** Asked about every Machine in every pass, and nearly always so. */
  private static boolean agrees(Scene scene, Machine machine) {
    Map<String, String> tags = machine.fly().tags();
    for (Map.Entry<String, String> wanted : scene.desired().tags().entrySet()) {
      if (!isOwn(wanted.getKey()) && !wanted.getValue().equals(tags.get(wanted.getKey()))) {
        return false;
      }
    }
    return ROLE.equals(tags.get("role"))
        && scene.seen().pool().value().equals(tags.get("pool"))
        && scene.seen().region().code().equals(tags.get("region"))
        && machine.template().value().equals(tags.get("template_version"))
        && machine.keep().word().equals(tags.get("keep"))
        && machine.state().standing().word().equals(tags.get("state"));
  }

  private static boolean isOwn(String tag) {
    return OWN.contains(tag);
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
