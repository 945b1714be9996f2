// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/**
 * The six metadata calls. A write merges, makes no new version and asks for no lease; the only
 * fence is {@code machine_version}, which says nothing about other writers. World's thread.
 */
final class Metadata {
  private final Platform platform;
  private final Journal journal;

  Metadata(Platform platform, Journal journal) {
    this.platform = platform;
    this.journal = journal;
  }

  Reply get(Request request) {
    return Reply.ok(request.machine().metadata().deepCopy());
  }

  Reply merge(Request request) {
    ObjectNode body = request.body();
    if (!(body.path("metadata") instanceof ObjectNode changes)) {
      throw Errors.invalid("metadata must be an object");
    }
    Machine machine = writable(request);
    String version = Json.text(body, "machine_version");
    if (!version.isEmpty() && !version.equals(machine.instanceId())) {
      throw Errors.precondition(
          "machine_version %s is not the current version %s"
              .formatted(version, machine.instanceId()));
    }
    for (Map.Entry<String, JsonNode> change : changes.properties()) {
      if (!change.getValue().isTextual() && !change.getValue().isNull()) {
        throw Errors.invalid("metadata." + change.getKey() + " must be a string or null");
      }
    }
    changes.properties().forEach(change -> set(machine, change.getKey(), change.getValue()));
    journal.changed(machine);
    return Reply.empty(204);
  }

  Reply getKey(Request request) {
    JsonNode value = request.machine().metadata().path(request.call().part("key"));
    if (value.isMissingNode()) {
      throw Errors.notFound("metadata key not found");
    }
    return Reply.ok(Json.object().set("value", value));
  }

  Reply setKey(Request request) {
    JsonNode value = request.body().path("value");
    if (!value.isTextual()) {
      throw Errors.invalid("value must be a string");
    }
    Machine machine = writable(request);
    set(machine, request.call().part("key"), value);
    journal.changed(machine);
    return Reply.empty(204);
  }

  Reply deleteKey(Request request) {
    Machine machine = writable(request);
    machine.metadata().remove(request.call().part("key"));
    journal.changed(machine);
    return Reply.empty(204);
  }

  private Machine writable(Request request) {
    Machine machine = request.machine();
    if (machine.state == State.DESTROYED) {
      throw Errors.precondition("machine is destroyed");
    }
    if (machine.state == State.REPLACING
        && platform.switches.metadataWhileReplacing() == Switches.Verdict.REFUSE) {
      throw Errors.precondition("machine getting replaced, refusing to change metadata");
    }
    return machine;
  }

  private static void set(Machine machine, String key, JsonNode value) {
    if (value.isNull() || value.textValue().isEmpty()) {
      machine.metadata().remove(key);
    } else {
      machine.metadata().set(key, value);
    }
  }
}
