// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.fly;

import static cupbear.scheduler.adapter.SimulatedFly.get;
import static cupbear.scheduler.adapter.SimulatedFly.order;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.fly.FlyClient;
import cupbear.fly.model.App;
import cupbear.fly.model.CreateMachine;
import cupbear.fly.model.IpAssignment;
import cupbear.fly.model.MachineConfig;
import cupbear.fly.model.NewApp;
import cupbear.fly.model.TokenScope;
import cupbear.flysim.FlySimConfig;
import cupbear.flysim.NoViewers;
import cupbear.flysim.world.Token;
import cupbear.scheduler.adapter.SimulatedFly;
import cupbear.scheduler.adapter.fly.AppInspection.Expected;
import cupbear.scheduler.adapter.fly.AppInspection.Finding;
import cupbear.scheduler.adapter.fly.AppInspection.Severity;
import cupbear.scheduler.model.Keep;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is looked at before a pool is run. */
class AppInspectionIT {
  private static final String PROD = "viewer-prod";
  private static final String DEPLOY = "fm2_deploy";
  private static final String LOGIN = "fm2_login";
  private static final String ELSEWHERE = "fm2_elsewhere";

  private static SimulatedFly fly;

  @BeforeAll
  static void open() {
    List<Token> tokens =
        List.of(
            Token.org(FlySimConfig.TOKEN, FlySimConfig.ORG),
            Token.app(DEPLOY, FlySimConfig.ORG, PROD),
            Token.app(ELSEWHERE, FlySimConfig.ORG, "other-app"),
            new Token(LOGIN, FlySimConfig.ORG, Set.of(), "ada@example.com"));
    fly = new SimulatedFly(config -> config.withViewers(NoViewers::new).withTokens(tokens));
    get(fly.client.createApp(new NewApp(PROD, FlySimConfig.ORG, "prod-net")));
  }

  @AfterAll
  static void close() {
    fly.close();
  }

  @AfterEach
  void calm() {
    fly.calm();
  }

  private static Expected prod() {
    return new Expected(PROD, FlySimConfig.ORG, "cupbear/prod", "prod-net", true);
  }

  private static List<Finding> findings(String token, Expected expected) {
    FlyClient client = fly.client(fly.sim.url(), token, config -> config);
    try {
      return get(AppInspection.of(client, expected)).findings();
    } finally {
      get(client.close());
    }
  }

  private static Finding only(List<Finding> findings) {
    assertThat(findings).hasSize(1);
    return findings.getFirst();
  }

  // ---- all is well

  @Test
  @DisplayName("an app of its own network, a token for it alone: nothing to say")
  void allIsWell() {
    assertThat(findings(DEPLOY, prod())).isEmpty();
  }

  @Test
  @DisplayName("the simulator as it starts is good enough for a demo")
  void demo() {
    Expected demo = new Expected(SimulatedFly.APP, FlySimConfig.ORG, "cupbear/demo", "", false);
    assertThat(findings(FlySimConfig.TOKEN, demo)).isEmpty();
  }

  // ---- tokens

  @ParameterizedTest(name = "token {0}: {1}, {2}")
  @CsvSource({
    FlySimConfig.TOKEN + ", WARNING, whole organisation",
    LOGIN + ", FATAL, a person's login"
  })
  void tokens(String token, Severity severity, String words) {
    Finding finding = only(findings(token, prod()));
    assertThat(finding.severity()).isEqualTo(severity);
    assertThat(finding.what()).contains(words);
    assertThat(finding.next()).contains("fly tokens create deploy -a " + PROD);
  }

  @Test
  void tokenOfAnotherApp() {
    assertThat(findings(ELSEWHERE, prod()))
        .isNotEmpty()
        .allSatisfy(each -> assertThat(each.severity()).isEqualTo(Severity.FATAL))
        .anySatisfy(each -> assertThat(each.what()).contains("not for app " + PROD));
  }

  @Test
  void tokenThatFlyDoesNotKnow() {
    assertThat(findings("fm2_nobody", prod()))
        .isNotEmpty()
        .allSatisfy(each -> {
          assertThat(each.severity()).isEqualTo(Severity.FATAL);
          assertThat(each.next()).contains("fly tokens create");
        });
  }

  @Test
  void tokenForOneMachine() {
    var grant =
        new TokenScope.Grant(FlySimConfig.ORG, "", List.of(PROD), "t", "", "3d8d413b29d089");
    List<Finding> findings = inspection(prod()).token(new TokenScope(List.of(grant)));
    assertThat(only(findings).severity()).isEqualTo(Severity.FATAL);
  }

  // ---- the app and its network

  @Test
  void noSuchApp() {
    Expected missing = new Expected("no-such-app", FlySimConfig.ORG, "cupbear/prod", "", true);
    assertThat(findings(FlySimConfig.TOKEN, missing))
        .anySatisfy(each -> assertThat(each.severity()).isEqualTo(Severity.FATAL));
  }

  @ParameterizedTest(name = "Fly says ''{0}'', configured is ''{1}'', strict {2}: {3}")
  @CsvSource({
    "prod-net, prod-net, true, ",
    "prod-net, '', true, ",
    "staging-net, prod-net, true, FATAL",
    "staging-net, prod-net, false, FATAL",
    "default, '', true, FATAL",
    "default, '', false, ",
    "default, default, true, ",
    "'', prod-net, true, WARNING",
    "'', '', false, "
  })
  void networks(String told, String configured, boolean strict, Severity severity) {
    Expected expected = new Expected(PROD, FlySimConfig.ORG, "cupbear/prod", configured, strict);
    App app = new App("id", PROD, "deployed", told, "", null, 0, 0);
    List<Severity> found = inspection(expected).app(app).stream().map(Finding::severity).toList();
    assertThat(found).isEqualTo(severity == null ? List.of() : List.of(severity));
  }

  @Test
  void appOfAnotherOrganisation() {
    App app = new App("id", PROD, "", "prod-net", "", new App.Organization("Evil", "evil"), 0, 0);
    Finding finding = only(inspection(prod()).app(app));
    assertThat(finding.severity()).isEqualTo(Severity.FATAL);
    assertThat(finding.what()).contains("belongs to organisation evil");
  }

  // ---- who could reach it

  @ParameterizedTest(name = "{0} egress {1}: {2}")
  @CsvSource({
    "198.51.100.7, false, FATAL",
    "2001:db8:1::7, false, FATAL",
    "fdaa:9:d844:0:1::7, false, WARNING",
    "198.51.100.8, true, WARNING"
  })
  void addresses(String ip, boolean egress, Severity severity) {
    var address = new IpAssignment(ip, "global", false, egress, "", java.time.Instant.EPOCH);
    Finding finding = only(inspection(prod()).addresses(List.of(address)));
    assertThat(finding.severity()).isEqualTo(severity);
    assertThat(finding.next()).contains("fly ips release " + ip + " -a " + PROD);
  }

  @Test
  @DisplayName("an address that the app was given is found, over the wire")
  void publicAddress() throws Exception {
    String app = "viewer-public";
    get(fly.client.createApp(new NewApp(app, FlySimConfig.ORG, "public-net")));
    try (HttpClient http = HttpClient.newHttpClient()) {
      http.send(
          HttpRequest.newBuilder(URI.create(fly.sim.url() + "/v1/apps/" + app + "/ip_assignments"))
              .header("Authorization", "Bearer " + FlySimConfig.TOKEN)
              .POST(BodyPublishers.ofString(new JsonObject().put("type", "v4").encode()))
              .build(),
          BodyHandlers.discarding());
    }
    Expected expected = new Expected(app, FlySimConfig.ORG, "cupbear/prod", "", true);
    assertThat(findings(FlySimConfig.TOKEN, expected))
        .anySatisfy(each -> {
          assertThat(each.severity()).isEqualTo(Severity.FATAL);
          assertThat(each.what()).contains("public address");
        });
  }

  @Test
  @DisplayName("services: not on our Machines; on others it is told")
  void services() {
    String app = "viewer-services";
    get(fly.client.createApp(new NewApp(app, FlySimConfig.ORG, "services-net")));
    make(app, "ours", "cupbear/prod");
    make(app, "theirs", "somebody");
    Expected expected = new Expected(app, FlySimConfig.ORG, "cupbear/prod", "", true);
    List<Finding> findings =
        findings(FlySimConfig.TOKEN, expected).stream()
            .filter(each -> each.what().contains("services"))
            .toList();
    assertThat(findings)
        .extracting(Finding::severity)
        .containsExactlyInAnyOrder(Severity.FATAL, Severity.WARNING);
  }

  private static void make(String app, String name, String managedBy) {
    MachineConfig config =
        MachineConfig.of("registry.example/viewer:1")
            .metadata("managed_by", managedBy)
            .other("services", List.of(java.util.Map.of("protocol", "tcp", "internal_port", 3389)))
            .build();
    get(fly.client.app(app).create(CreateMachine.of(name, "iad", config)));
  }

  @Test
  @DisplayName("a Machine as we make it passes")
  void ownMachinesPass() {
    get(FlyMachinesIT.machines(fly).create(order("inspected", Keep.ALWAYS)));
    Expected demo = new Expected(SimulatedFly.APP, FlySimConfig.ORG, SimulatedFly.OURS, "", false);
    assertThat(findings(FlySimConfig.TOKEN, demo)).isEmpty();
  }

  // ---- Fly is away

  @Test
  @DisplayName("when Fly is out of order nothing is known, and nothing is condemned")
  void flyIsAway() {
    fly.fault("server_error", "");
    assertThat(findings(DEPLOY, prod()))
        .isNotEmpty()
        .allSatisfy(each -> assertThat(each.severity()).isEqualTo(Severity.UNCHECKED));
  }

  private static AppInspection inspection(Expected expected) {
    return AppInspection.expecting(expected);
  }
}
