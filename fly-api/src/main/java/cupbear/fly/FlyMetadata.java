// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import cupbear.fly.Read.Ack;
import cupbear.fly.model.MetadataChange;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The metadata of one Machine. Writing neither restarts it nor makes a new version, and a lease
 * does not guard it; every Machine of the app can read it, so no credential belongs here.
 */
public final class FlyMetadata {

  private final FlyMachine machine;
  private final Engine engine;

  FlyMetadata(FlyMachine machine, Engine engine) {
    this.machine = machine;
    this.engine = engine;
  }

  public Future<Map<String, String>> all() {
    return engine.run(machine.call(Action.GET_METADATA, Read::metadata).get(where()));
  }

  public Future<Void> patch(MetadataChange change) {
    return write(Action.PATCH_METADATA, "PATCH", change);
  }

  /** Documented to do the same as a patch: other keys stay. */
  public Future<Void> put(MetadataChange change) {
    return write(Action.PUT_METADATA, "PUT", change);
  }

  private record Body(Map<String, String> metadata, String machineVersion) {}

  private Future<Void> write(Action action, String verb, MetadataChange change) {
    Map<String, String> values = new LinkedHashMap<>(change.set());
    // Empty removes a key as null does, and no JSON library on the way drops it.
    change.remove().forEach(key -> values.put(key, ""));
    return engine
        .run(
            machine
                .call(action, Read::ack)
                .request(verb, where())
                .sending(new Body(values, change.machineVersion())))
        .mapEmpty();
  }

  /** Empty when the key, or the Machine, is not there. */
  public Future<Optional<String>> get(String key) {
    return engine.run(
        machine
            .call(Action.GET_METADATA_KEY, Read::value)
            .get(where(key))
            .doneWhenGone(Optional.empty()));
  }

  public Future<Void> set(String key, String value) {
    return engine
        .run(
            machine
                .call(Action.SET_METADATA_KEY, Read::ack)
                .request("POST", where(key))
                .sending(Map.of("value", value)))
        .mapEmpty();
  }

  public Future<Void> remove(String key) {
    return engine
        .run(
            machine
                .call(Action.DELETE_METADATA_KEY, Read::ack)
                .request("DELETE", where(key))
                .doneWhenGone(Ack.DONE))
        .mapEmpty();
  }

  private Uri where(String... key) {
    return machine.uri("metadata").and(key);
  }
}
