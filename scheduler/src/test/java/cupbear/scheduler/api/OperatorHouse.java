// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.app.RegionBoard;
import cupbear.scheduler.config.CurrentSettings;
import cupbear.scheduler.model.EntryKind;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.StoreRules;
import cupbear.scheduler.security.Role;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.Map;

/** A real server for the tests of the command line. */
public final class OperatorHouse implements AutoCloseable {
  private final House house;

  public OperatorHouse(Path folder) {
    house = new House(folder, Store.memory(StoreRules.DEFAULT));
  }

  public String url() {
    return "http://127.0.0.1:" + house.server.port();
  }

  public String token(Role role) {
    return house.token(role);
  }

  public RegionBoard board() {
    return house.board;
  }

  public void warm(String region, String... ids) {
    for (String id : ids) house.warm(id, new Region(region));
  }

  public void forget(String id) {
    house.forget(id);
  }

  public void write(EntryKind kind, String machine, Map<String, String> data) {
    house.write(kind, machine, data);
  }

  /** Takes a Machine for a session; gives back its id. */
  public String session(String region) {
    String body = "{\"pool\":\"viewers\",\"region\":\"%s\",\"tenant\":\"acme\"}".formatted(region);
    JsonObject granted = as(Role.GATEWAY).create(body).json();
    return granted.getString("id");
  }

  public JsonObject get(String path) {
    return as(Role.OPERATOR).get(path).json();
  }

  private Client as(Role role) {
    return new Client(house.server.port(), house.token(role));
  }

  public void reloadsTo(CurrentSettings.Outcome outcome) {
    house.reload = outcome;
  }

  @Override
  public void close() {
    house.close();
  }
}
