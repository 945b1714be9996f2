// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cupbear.fly.model.CreateMachine;
import cupbear.fly.model.ExecCommand;
import cupbear.fly.model.Guest;
import cupbear.fly.model.Lease;
import cupbear.fly.model.MachineConfig;
import cupbear.fly.model.MachineFilter;
import cupbear.fly.model.MachineState.Kind;
import cupbear.fly.model.MetadataChange;
import cupbear.fly.model.NewApp;
import cupbear.fly.model.OrgQuery;
import cupbear.fly.model.PlacementQuestion;
import cupbear.fly.model.Restart;
import cupbear.fly.model.Secret;
import cupbear.fly.model.Stop;
import cupbear.fly.model.UpdateMachine;
import cupbear.fly.model.WaitFor;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every endpoint: what exactly goes over the wire. */
class RequestsTest {

  private static final String I = "/v1/apps/viewers/machines/3d8d413b29d089";
  private static final Lease LEASE = new Lease("5c35f65c9f95", 0, "us", "assign:7", "");
  private static final MachineConfig CONFIG =
      MachineConfig.of("r/viewer@sha256:7c1e")
          .env("GUACD_BIND", "fly-local-6pn")
          .guest(new Guest("shared", 2, 2048))
          .restart(Restart.ALWAYS)
          .stop(Stop.sigterm(Duration.ofSeconds(20)))
          .metadata("role", "warm-pool")
          .build();
  private static final String CONFIG_JSON =
      """
      {"image":"r/viewer@sha256:7c1e","env":{"GUACD_BIND":"fly-local-6pn"},\
      "guest":{"cpu_kind":"shared","cpus":2,"memory_mb":2048},"restart":{"policy":"always"},\
      "stop_config":{"signal":"SIGTERM","timeout":"20s"},"metadata":{"role":"warm-pool"}}\
      """;

  record Row(
      Action action, String request, String body, String answer, Function<Desk, Future<?>> call) {
    @Override
    public String toString() {
      return action + " " + request;
    }
  }

  static Stream<Row> endpoints() {
    return Stream.of(organisation(), app(), machine(), power(), leases(), metadata())
        .flatMap(rows -> rows);
  }

  private static Stream<Row> organisation() {
    return Stream.of(
        row(Action.LIST_APPS, "GET /v1/apps?org_slug=acme", "", "{}", d -> d.fly.apps("acme")),
        row(
            Action.CREATE_APP,
            "POST /v1/apps",
            "{\"name\":\"v\",\"org_slug\":\"acme\",\"network\":\"demo\"}",
            "{}",
            d -> d.fly.createApp(new NewApp("v", "acme", "demo"))),
        row(
            Action.LIST_ORG_MACHINES,
            "GET /v1/orgs/acme/machines?region=iad&updated_after=2026-09-01T10%3A00%3A00Z"
                + "&cursor=c%2F1&limit=500&include_deleted=true",
            "",
            "{}",
            d ->
                d.fly.machines(
                    "acme",
                    OrgQuery.FIRST
                        .inRegion("iad")
                        .since(Instant.parse("2026-09-01T10:00:00Z"))
                        .from("c/1")
                        .atMost(500)
                        .withDeleted())),
        row(Action.LIST_REGIONS, "GET /v1/platform/regions", "", "{}", d -> d.fly.regions()),
        row(
            Action.ASK_PLACEMENTS,
            "POST /v1/platform/placements",
            "{\"org_slug\":\"acme\",\"region\":\"iad,us\",\"count\":5}",
            "{}",
            d -> d.fly.placements(new PlacementQuestion("acme", "iad,us", 5, null))),
        row(Action.CURRENT_TOKEN, "GET /v1/tokens/current", "", "{}", d -> d.fly.currentToken()));
  }

  private static Stream<Row> app() {
    return Stream.of(
        row(Action.GET_APP, "GET /v1/apps/viewers", "", "{}", d -> d.app.get()),
        row(
            Action.LIST_IPS,
            "GET /v1/apps/viewers/ip_assignments",
            "",
            "{}",
            d -> d.app.ipAssignments()),
        row(Action.LIST_VOLUMES, "GET /v1/apps/viewers/volumes", "", "[]", d -> d.app.volumes()),
        row(
            Action.LIST_MACHINES,
            "GET /v1/apps/viewers/machines",
            "",
            "[]",
            d -> d.app.machines(MachineFilter.ALL)),
        row(
            Action.LIST_MACHINES,
            "GET /v1/apps/viewers/machines?region=iad&state=started%2Cstopped&include_deleted=true"
                + "&include_leases=true&summary=true&metadata.role=warm-pool&metadata.claim=",
            "",
            "[]",
            d ->
                d.app.machines(
                    MachineFilter.ALL
                        .inRegion("iad")
                        .inState(Kind.STARTED, Kind.STOPPED)
                        .withDeleted()
                        .withLeases()
                        .summarised()
                        .tagged("role", "warm-pool")
                        .tagged("claim", ""))),
        row(
            Action.CREATE_MACHINE,
            "POST /v1/apps/viewers/machines",
            "{\"name\":\"wp-1\",\"region\":\"lhr,eu\",\"config\":" + CONFIG_JSON + "}",
            "{}",
            d -> d.app.create(CreateMachine.of("wp-1", "lhr,eu", CONFIG))),
        row(
            Action.CREATE_MACHINE,
            "POST /v1/apps/viewers/machines",
            "{\"name\":\"wp-1\",\"region\":\"iad\",\"config\":"
                + CONFIG_JSON
                + ",\"skip_launch\":true,\"lease_ttl\":30}",
            "{}",
            d ->
                d.app.create(
                    CreateMachine.of("wp-1", "iad", CONFIG)
                        .stopped()
                        .leasedFor(Duration.ofSeconds(30)))));
  }

  private static Stream<Row> machine() {
    return Stream.of(
        row(Action.GET_MACHINE, "GET " + I, "", "{}", d -> d.machine.get()),
        row(
            Action.GET_MACHINE,
            "GET " + I + "?include_leases=true",
            "",
            "{}",
            d -> d.machine.getWithLease()),
        row(
            Action.UPDATE_MACHINE,
            "POST " + I,
            "{\"config\":" + CONFIG_JSON + ",\"current_version\":\"01V1\"}",
            "{}",
            d -> d.machine.update(UpdateMachine.of(CONFIG, "01V1"))),
        row(Action.DELETE_MACHINE, "DELETE " + I, "", "{}", d -> d.machine.delete(false)),
        row(
            Action.DELETE_MACHINE,
            "DELETE " + I + "?force=true",
            "",
            "{}",
            d -> d.machine.delete(true)),
        row(
            Action.EXEC,
            "POST " + I + "/exec",
            "{\"command\":[\"chpasswd\"],\"stdin\":\"u:p\",\"timeout\":5}",
            "{}",
            d ->
                d.machine.exec(
                    ExecCommand.of("chpasswd")
                        .reading(Secret.of("u:p"))
                        .within(Duration.ofSeconds(5)))),
        row(
            Action.WAIT,
            "GET "
                + I
                + "/wait?state=stopped%2Cdestroyed&version=01V1&from_event_id=01E&timeout=55",
            "",
            "{\"ok\":true}",
            d ->
                d.machine.waitFor(
                    WaitFor.anyOf("stopped", "destroyed").version("01V1").after("01E"))),
        row(
            Action.LIST_EVENTS,
            "GET " + I + "/events?limit=50",
            "",
            "[]",
            d -> d.machine.events(99)),
        row(Action.LIST_VERSIONS, "GET " + I + "/versions", "", "[]", d -> d.machine.versions()));
  }

  private static Stream<Row> power() {
    return Stream.of(
        row(Action.START, "POST " + I + "/start", "", "{}", d -> d.machine.start()),
        row(
            Action.STOP,
            "POST " + I + "/stop",
            "{}",
            "{}",
            d -> d.machine.stop(Stop.AS_CONFIGURED)),
        row(
            Action.STOP,
            "POST " + I + "/stop",
            "{\"signal\":\"SIGTERM\",\"timeout\":\"20s\"}",
            "{}",
            d -> d.machine.stop(Stop.sigterm(Duration.ofSeconds(20)))),
        row(Action.SUSPEND, "POST " + I + "/suspend", "", "{}", d -> d.machine.suspend()),
        row(
            Action.RESTART,
            "POST " + I + "/restart?timeout=20s&signal=SIGTERM",
            "",
            "",
            d -> d.machine.restart(Stop.sigterm(Duration.ofSeconds(20)))),
        row(
            Action.SIGNAL,
            "POST " + I + "/signal",
            "{\"signal\":\"SIGUSR1\"}",
            "",
            d -> d.machine.signal("SIGUSR1")),
        row(Action.CORDON, "POST " + I + "/cordon", "", "{}", d -> d.machine.cordon()),
        row(Action.UNCORDON, "POST " + I + "/uncordon", "", "{}", d -> d.machine.uncordon()));
  }

  private static Stream<Row> leases() {
    String taken = "{\"ttl\":30,\"description\":\"assign:7\"}";
    Duration ttl = Duration.ofSeconds(30);
    return Stream.of(
        row(Action.GET_LEASE, "GET " + I + "/lease", "", "{}", d -> d.machine.lease()),
        row(
            Action.ACQUIRE_LEASE,
            "POST " + I + "/lease",
            taken,
            "{}",
            d -> d.machine.acquireLease(ttl, "assign:7")),
        row(
            Action.REFRESH_LEASE,
            "POST " + I + "/lease",
            taken,
            "{}",
            d -> d.machine.refreshLease(LEASE, ttl)),
        row(
            Action.RELEASE_LEASE,
            "DELETE " + I + "/lease",
            "",
            "{}",
            d -> d.machine.releaseLease(LEASE)));
  }

  private static Stream<Row> metadata() {
    MetadataChange change =
        MetadataChange.of(Map.of("state", "assigned")).removing("claim").ifVersion("01V1");
    String body =
        "{\"metadata\":{\"state\":\"assigned\",\"claim\":\"\"},\"machine_version\":\"01V1\"}";
    return Stream.of(
        row(
            Action.GET_METADATA,
            "GET " + I + "/metadata",
            "",
            "{}",
            d -> d.machine.metadata().all()),
        row(
            Action.PATCH_METADATA,
            "PATCH " + I + "/metadata",
            body,
            "",
            d -> d.machine.metadata().patch(change)),
        row(
            Action.PUT_METADATA,
            "PUT " + I + "/metadata",
            body,
            "",
            d -> d.machine.metadata().put(change)),
        row(
            Action.GET_METADATA_KEY,
            "GET " + I + "/metadata/a%2Fb",
            "",
            "{\"value\":\"x\"}",
            d -> d.machine.metadata().get("a/b")),
        row(
            Action.SET_METADATA_KEY,
            "POST " + I + "/metadata/state",
            "{\"value\":\"warm\"}",
            "",
            d -> d.machine.metadata().set("state", "warm")),
        row(
            Action.DELETE_METADATA_KEY,
            "DELETE " + I + "/metadata/state",
            "",
            "",
            d -> d.machine.metadata().remove("state")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("endpoints")
  void onTheWire(Row row) {
    Desk desk = new Desk();
    desk.wire.then(200, row.answer());
    desk.value(row.call().apply(desk));
    Wire.Outgoing sent = desk.wire.sent.get(0);
    assertThat(desk.wire.requests()).containsExactly(row.request());
    assertThat(sent.body().toString()).isEqualTo(row.body());
    assertThat(sent.headers())
        .containsEntry("Authorization", "FlyV1 " + Desk.TOKEN)
        .hasEntrySatisfying(
            "User-Agent", agent -> assertThat(agent).startsWith("cupbear-fly-api/"));
    assertThat(sent.headers().containsKey("Content-Type")).isEqualTo(!row.body().isEmpty());
  }

  @Test
  void noEndpointIsForgottenHere() {
    Set<Action> tried = EnumSet.noneOf(Action.class);
    endpoints().forEach(row -> tried.add(row.action()));
    assertThat(tried).containsExactlyInAnyOrderElementsOf(Arrays.asList(Action.values()));
  }

  @Test
  void whoHoldsALeaseShowsItOnChangesOnly() {
    Desk desk = new Desk();
    desk.wire.then(200, "{}").then(200, "{}");
    FlyMachine held = desk.machine.holding(LEASE);
    desk.value(held.start());
    desk.value(held.get());
    assertThat(desk.wire.sent.get(0).headers())
        .containsEntry("fly-machine-lease-nonce", "5c35f65c9f95");
    assertThat(desk.wire.sent.get(1).headers()).doesNotContainKey("fly-machine-lease-nonce");
  }

  @Test
  void anIdCannotBecomeAnotherPath() {
    Desk desk = new Desk();
    desk.wire.then(200, "{}");
    desk.value(desk.app.machine("x/../../secrets?y=1").get());
    assertThat(desk.wire.requests())
        .containsExactly("GET /v1/apps/viewers/machines/x%2F..%2F..%2Fsecrets%3Fy%3D1");
    assertThatThrownBy(() -> desk.app.machine("..").get())
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Row row(
      Action action, String request, String body, String answer, Function<Desk, Future<?>> call) {
    return new Row(action, request, body, answer, call);
  }
}
