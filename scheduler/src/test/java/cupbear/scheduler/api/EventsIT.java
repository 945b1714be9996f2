// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import cupbear.scheduler.model.StoreRules;
import cupbear.scheduler.security.Role;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The stream of events over real HTTP: live, resumed, filtered, bounded. */
@Timeout(30)
class EventsIT {
  @TempDir Path folder;
  private @Nullable House opened;

  private void open(StoreRules rules) {
    opened = new House(folder, Store.memory(rules));
  }

  @AfterEach
  void close() {
    house().close();
  }

  private House house() {
    return java.util.Objects.requireNonNull(opened);
  }

  private Client as(Role role) {
    return new Client(house().server.port(), house().token(role));
  }

  /** One event as it came. */
  private record Got(String id, String type, JsonObject data) {}

  /** A reader of a stream; closing it hangs up. */
  private static final class Reader implements AutoCloseable {
    private final InputStream stream;
    private final BufferedReader lines;

    Reader(HttpResponse<InputStream> response) {
      assertThat(response.statusCode()).isEqualTo(200);
      stream = response.body();
      lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
    }

    /** The next events, up to and with the first of this type. */
    List<Got> until(String type) {
      List<Got> got = new ArrayList<>();
      String id = "";
      String event = "";
      try {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          if (line.startsWith("id: ")) id = line.substring(4);
          if (line.startsWith("event: ")) event = line.substring(7);
          if (!line.startsWith("data: ")) continue;
          JsonObject data = new JsonObject(line.substring(6));
          JsonObject schema = new JsonObject().put("$ref", "#/components/schemas/Event");
          Contract.validate("event " + event, schema, data);
          got.add(new Got(id, event, data));
          if (event.equals(type)) return got;
        }
      } catch (IOException broken) {
        throw new AssertionError(broken);
      }
      throw new AssertionError("the stream ended before " + type + "; there was " + got);
    }

    boolean isAtEnd() {
      try {
        return lines.readLine() == null;
      } catch (IOException broken) {
        return true;
      }
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }

  private Reader reader(Role role, String query, String... headers) {
    return new Reader(as(role).stream("/v1/events" + query, headers));
  }

  @Test
  void whatHappensIsToldAsItHappens() throws IOException {
    open(StoreRules.DEFAULT);
    try (Reader reader = reader(Role.OPERATOR, "")) {
      house().warm("m1");
      as(Role.GATEWAY).create("{\"pool\":\"viewers\"}");
      List<Got> got = reader.until("session.granted");
      assertThat(got).extracting(Got::type).contains("machine.enrolled", "machine.proven");
      assertThat(got.getLast().data().getString("machine")).isEqualTo("m1");
      assertThat(got).allSatisfy(each -> assertThat(each.data().encode()).doesNotContain("canary"));
    }
  }

  @Test
  void aReaderThatComesBackMissesNothingAndSeesNothingTwice() throws IOException {
    open(StoreRules.DEFAULT);
    List<String> seen = new ArrayList<>();
    String last;
    try (Reader reader = reader(Role.OPERATOR, "?topic=machine", "Last-Event-ID", "0-0")) {
      house().warm("m1");
      List<Got> got = reader.until("machine.proven");
      got.forEach(each -> seen.add(each.data().getString("id")));
      last = got.getLast().id();
    }
    house().warm("m2");
    house().warm("m3");
    try (Reader reader = reader(Role.OPERATOR, "?topic=machine", "Last-Event-ID", last)) {
      for (Got each : reader.until("machine.proven")) seen.add(each.data().getString("id"));
      for (Got each : reader.until("machine.proven")) seen.add(each.data().getString("id"));
    }
    try (Reader all = reader(Role.OPERATOR, "?topic=machine", "Last-Event-ID", "0-0")) {
      List<String> whole = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        all.until("machine.proven").forEach(each -> whole.add(each.data().getString("id")));
      }
      assertThat(seen).isEqualTo(whole).doesNotHaveDuplicates();
    }
  }

  @Test
  void filtersLeaveOutTheRest() throws IOException {
    open(StoreRules.DEFAULT);
    try (Reader reader = reader(Role.VIEWER, "?region=lhr&topic=machine,act&pool=viewers")) {
      house().warm("m1", House.IAD);
      house().warm("m2", House.LHR);
      as(Role.OPERATOR).post("/v1/pools/viewers/regions/lhr/pause", "{\"reason\":\"lunch\"}");
      List<Got> got = reader.until("act.pause");
      assertThat(got).extracting(each -> each.data().getString("region")).containsOnly("lhr");
      assertThat(got.getLast().data().getString("detail")).isEqualTo("lunch");
    }
  }

  @Test
  void aGatewayHearsOfItsOwnSessionsOnly() throws IOException {
    open(StoreRules.DEFAULT);
    house().warm("m1", "m2");
    String token = house().token("gateway-2", Role.GATEWAY, Set.of()).reveal();
    Client other = new Client(house().server.port(), token);
    try (Reader reader = new Reader(other.stream("/v1/events"))) {
      String foreign = as(Role.GATEWAY).create("{\"pool\":\"viewers\"}").json().getString("id");
      String own = other.create("{\"pool\":\"viewers\"}").json().getString("id");
      assertThat(reader.until("session.granted"))
          .extracting(each -> each.data().getString("session"))
          .contains(own)
          .doesNotContain(foreign)
          .doesNotContainNull();
    }
  }

  @Test
  void aJournalThatNoLongerReachesBackSaysSoFirst() throws IOException {
    StoreRules rules = StoreRules.DEFAULT;
    open(
        new StoreRules(
            rules.guacdTrust(),
            rules.rdpTrust(),
            rules.hold(),
            rules.withdrawnKept(),
            rules.replicaKept(),
            rules.expireMost(),
            rules.waitsKept(),
            3));
    house().warm("m1", "m2");
    try (Reader reader = reader(Role.OPERATOR, "", "Last-Event-ID", "1-0")) {
      List<Got> got = reader.until("machine.proven");
      assertThat(got.getFirst().type()).isEqualTo("gap");
    }
  }

  @Test
  void moreReadersThanAllowedAreToldToComeLaterAndPlacesAreFreed() throws IOException {
    open(StoreRules.DEFAULT);
    List<Reader> readers = new ArrayList<>();
    for (int i = 0; i < 3; i++) readers.add(reader(Role.OPERATOR, ""));
    Client.Reply refused = as(Role.OPERATOR).get("/v1/events");
    assertThat(refused.problem()).isEqualTo("rate-limited");
    assertThat(refused.header("retry-after")).isEqualTo("5");
    for (Reader each : readers) each.close();
    // The wire tells of a reader that is gone when something is written to it.
    await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> {
          as(Role.OPERATOR).post("/v1/pools/viewers/regions/lhr/pause", "{}");
          as(Role.OPERATOR).post("/v1/pools/viewers/regions/lhr/resume", "{}");
          return house().server.inFlight() == 0;
        });
    try (Reader again = reader(Role.OPERATOR, "")) {
      house().warm("m1");
      assertThat(again.until("machine.proven")).isNotEmpty();
    }
  }

  @Test
  void streamsEndWhenTheServerDrains() throws IOException {
    open(StoreRules.DEFAULT);
    try (Reader reader = reader(Role.OPERATOR, "")) {
      House.get(house().server.drain());
      await().until(reader::isAtEnd);
    }
  }

  @Test
  void whatCannotBeReadIsNamed() {
    open(StoreRules.DEFAULT);
    Client operator = as(Role.OPERATOR);
    assertThat(operator.get("/v1/events", "Last-Event-ID", "yesterday").errors())
        .startsWith("Last-Event-ID: must be an id");
    assertThat(operator.get("/v1/events?topic=session,session").errors()).startsWith("topic: must");
    assertThat(operator.get("/v1/events?pool=none").errors()).startsWith("pool: is not declared");
    assertThat(operator.get("/v1/events", "Accept", "application/json").problem())
        .isEqualTo("not-acceptable");
  }
}
