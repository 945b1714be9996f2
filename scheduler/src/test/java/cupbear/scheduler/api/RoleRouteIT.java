// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.StoreRules;
import cupbear.scheduler.security.Role;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every cell of role × route over real HTTP; what is expected is read from docs/openapi.yaml. */
class RoleRouteIT {
  private static final String NOBODY = "nobody";
  private static House house;

  @BeforeAll
  static void open(@TempDir Path folder) {
    house = new House(folder, Store.memory(StoreRules.DEFAULT));
  }

  @AfterAll
  static void close() {
    house.close();
  }

  record Cell(String who, String operation) {
    @Override
    public String toString() {
      return who + " " + operation;
    }
  }

  static Stream<Cell> cells() {
    List<String> all =
        Stream.concat(Stream.of(Role.values()).map(Role::word), Stream.of(NOBODY)).toList();
    return Contract.operations().keySet().stream()
        .filter(operation -> !operation.equals("GET /metrics"))
        .flatMap(operation -> all.stream().map(who -> new Cell(who, operation)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  void onlyTheNamedRolesComeThrough(Cell cell) {
    String method = cell.operation().split(" ")[0];
    String path =
        cell.operation()
            .split(" ")[1]
            .replace("{id}", "ses_viewers_nothing")
            .replace("{pool}", "viewers")
            .replace("{region}", "iad")
            .replace("{type}", "no-capacity");
    String token =
        cell.who().equals(NOBODY)
            ? null
            : house.token(Role.valueOf(cell.who().toUpperCase(Locale.ROOT)));
    Client client = new Client(house.server.port(), token);
    boolean open = Contract.roles(cell.operation()).isEmpty();
    boolean allowed = open || Contract.roles(cell.operation()).contains(cell.who());
    int status = status(client, method, path);
    Map<Boolean, String> expected = Map.of(true, "through", false, "turned away");
    assertThat(expected.get(status != 401 && status != 403))
        .as("status %d", status)
        .isEqualTo(expected.get(allowed));
    if (!allowed) assertThat(status).isEqualTo(cell.who().equals(NOBODY) ? 401 : 403);
  }

  /** An empty object: a good body for an act, and a bad one elsewhere, which is no matter here. */
  private static int status(Client client, String method, String path) {
    if (path.equals("/v1/events")) {
      var stream = client.stream(path);
      try {
        stream.body().close();
        return stream.statusCode();
      } catch (java.io.IOException broken) {
        throw new AssertionError(broken);
      }
    }
    boolean withBody = method.equals("POST") || method.equals("PUT");
    return client
        .send(method, path, withBody ? "{}" : null, "Idempotency-Key", Client.key())
        .status();
  }
}
