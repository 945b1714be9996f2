// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** One app with all that is in it, destroyed Machines included until pruned. World's thread. */
final class App {
  final String name;
  final String id;
  final String org;
  final String network;
  final Instant createdAt;
  final Map<String, Machine> machines = new LinkedHashMap<>();
  final Map<String, ObjectNode> ips = new LinkedHashMap<>();

  App(String name, String id, String org, String network, Instant createdAt) {
    this.name = name;
    this.id = id;
    this.org = org;
    this.network = network;
    this.createdAt = createdAt;
  }

  /** The live Machine of that name: names of destroyed ones are free again. */
  Optional<Machine> named(String machineName) {
    return machines.values().stream()
        .filter(m -> m.name.equals(machineName) && m.state != State.DESTROYED)
        .findFirst();
  }

  long liveMachines() {
    return machines.values().stream().filter(m -> m.state != State.DESTROYED).count();
  }

  ObjectNode toJson() {
    ObjectNode json =
        Json.object()
            .put("id", id)
            .put("name", name)
            .put("status", liveMachines() > 0 ? "deployed" : "pending")
            .put("network", network)
            .put("machine_count", liveMachines())
            .put("volume_count", 0);
    json.putObject("organization").put("name", org).put("slug", org);
    return json;
  }
}
