// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.serve;

import static cupbear.scheduler.adapter.SimulatedFly.get;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.fly.model.CreateMachine;
import cupbear.fly.model.MachineConfig;
import cupbear.fly.model.NewApp;
import cupbear.flysim.FlySimConfig;
import cupbear.flysim.NoViewers;
import cupbear.flysim.world.Token;
import cupbear.redis.LocalRedis;
import cupbear.redis.LocalSentinel;
import cupbear.redis.testing.RedisExtension;
import cupbear.scheduler.adapter.SimulatedFly;
import cupbear.scheduler.cli.CupbearCommand;
import cupbear.scheduler.cli.ExitCode;
import cupbear.scheduler.security.KeyRing;
import cupbear.scheduler.security.Role;
import cupbear.scheduler.security.TokenFile;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/**
 * {@code cupbear serve} before a real Redis and Fly's API that are there and not as they should be:
 * each refusal says what is wrong and what to do, and nothing is left running.
 */
@ExtendWith(RedisExtension.class)
class StartupRefusalsIT {
  private static final String PROD = "viewer-prod";
  private static final String DEPLOY = "fm2_deploy";
  private static final String LOGIN = "fm2_login";
  private static final String ELSEWHERE = "fm2_elsewhere";

  private static SimulatedFly fly;

  @TempDir private Path folder;
  private final StringWriter err = new StringWriter();
  private final LocalRedis redis;
  private String app = PROD;
  private String listen = "fly-local-6pn";
  private String durability = "normal";
  private String redisUrl;
  private Map<String, String> environment = Map.of();

  StartupRefusalsIT(LocalRedis redis) {
    this.redis = redis;
    this.redisUrl = "redis://%s:%d".formatted(redis.address().host(), redis.address().port());
  }

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

  @BeforeEach
  void allIsWellOtherwise() throws IOException {
    SecureRandom random = new SecureRandom();
    environment =
        new HashMap<>(
            Map.of(
                "CUPBEAR_FLY_TOKEN",
                DEPLOY,
                "CUPBEAR_SECRET_KEY",
                KeyRing.newSecret(random).reveal(),
                "CUPBEAR_REDIS_PASSWORD",
                redis.address().password(),
                "FLY_PRIVATE_IP",
                "fdaa:9:d844:a7b:2::2"));
    TokenFile tokens = new TokenFile(folder.resolve("tokens.json"));
    tokens.create(
        new TokenFile.Wish("gateway", Role.GATEWAY, Set.of(), Instant.now(), Optional.empty()),
        random);
  }

  private String refusal() throws IOException {
    boolean demo = !listen.equals("fly-local-6pn");
    String yaml =
        """
        environment: %s
        fly: {app: %s, org: %s, %sapi: "%s"}
        redis: {url: "%s"}
        durability: %s
        listen: {api: "%s:0", ops: "%s:0"}
        pools:
          viewers:
            template: {version: "7", image: viewer}
            regions:
              iad: {warm_min: 2, warm_max: 4}
        """
            .formatted(
                demo ? "demo" : "prod",
                app,
                FlySimConfig.ORG,
                demo ? "" : "network: prod-net, ",
                fly.sim.url(),
                redisUrl,
                durability,
                listen,
                demo ? "127.0.0.1" : listen);
    Path file = Files.writeString(folder.resolve("cupbear.yaml"), yaml);
    int exit =
        CupbearCommand.commandLine(new ServeCommand(environment))
            .setErr(new PrintWriter(err))
            .execute("serve", "-c", file.toString());
    assertThat(exit).as(err.toString()).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).as("no stack trace").doesNotContain("\tat ");
    assertThat(threads()).as("nothing is left running").isEmpty();
    return err.toString();
  }

  /** Of the scheduler's own parts; those of the simulator belong to the test. */
  private static Set<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .map(Thread::getName)
        .filter(name -> name.startsWith("redis-") || name.contains("probe"))
        .collect(Collectors.toSet());
  }

  // ---- the token

  @Test
  void aPersonsLoginIsNoTokenForProduction() throws IOException {
    environment.put("CUPBEAR_FLY_TOKEN", LOGIN);
    assertThat(refusal())
        .contains("the Fly token is a person's login", "fly tokens create deploy -a " + PROD);
  }

  @Test
  void aTokenOfAnotherAppIsRefused() throws IOException {
    environment.put("CUPBEAR_FLY_TOKEN", ELSEWHERE);
    assertThat(refusal()).contains("not for app " + PROD, "give it as CUPBEAR_FLY_TOKEN");
  }

  @Test
  void aSecretKeyThatIsNoneIsRefusedAndNotShown() throws IOException {
    environment.put("CUPBEAR_SECRET_KEY", "hunter2-hunter2");
    assertThat(refusal()).contains("CUPBEAR_SECRET_KEY").doesNotContain("hunter2");
  }

  // ---- the app

  @Test
  void anAppWithAPublicAddressOrServicesOrOnAnotherNetworkIsRefusedForAllOfIt() throws Exception {
    app = "viewer-open";
    environment.put("CUPBEAR_FLY_TOKEN", FlySimConfig.TOKEN);
    get(fly.client.createApp(new NewApp(app, FlySimConfig.ORG, "staging-net")));
    try (HttpClient http = HttpClient.newHttpClient()) {
      http.send(
          HttpRequest.newBuilder(URI.create(fly.sim.url() + "/v1/apps/" + app + "/ip_assignments"))
              .header("Authorization", "Bearer " + FlySimConfig.TOKEN)
              .POST(BodyPublishers.ofString(new JsonObject().put("type", "v4").encode()))
              .build(),
          BodyHandlers.discarding());
    }
    MachineConfig config =
        MachineConfig.of("registry.example/viewer:1")
            .metadata("managed_by", "cupbear/prod")
            .other("services", List.of(Map.of("protocol", "tcp", "internal_port", 3389)))
            .build();
    get(fly.client.app(app).create(CreateMachine.of("open", "iad", config)));
    assertThat(refusal())
        .contains("has public address", "fly ips release")
        .contains("has services, which Fly Proxy offers", "fly machine destroy --force")
        .contains("lives on 6PN network staging-net, not on prod-net", "fly apps create NAME");
  }

  // ---- Redis

  @Test
  void aRedisThatForgetsWhenItIsFullIsRefused() throws IOException {
    try (Jedis server = redis.address().connect()) {
      server.configSet("maxmemory-policy", "allkeys-lru");
      assertThat(refusal()).contains("maxmemory-policy is allkeys-lru", "set it to noeviction");
      server.configSet("maxmemory-policy", "noeviction");
    }
  }

  @Test
  void strictDurabilityWithoutAReplicaIsRefused() throws IOException {
    durability = "strict";
    assertThat(refusal()).contains("durability is strict and the primary has no replica");
  }

  @Test
  void sentinelsWhosePrimaryWritesAloneAreRefused(LocalSentinel sentinel) throws IOException {
    environment.put("CUPBEAR_REDIS_PASSWORD", sentinel.password());
    redisUrl =
        "redis-sentinel://%s/%s"
            .formatted(
                sentinel.sentinels().stream()
                    .map(Object::toString)
                    .collect(Collectors.joining(",")),
                LocalSentinel.PRIMARY_NAME);
    try (Jedis primary = sentinel.firstPrimary().address().connect()) {
      primary.configSet("min-replicas-to-write", "0");
      assertThat(refusal()).contains("set min-replicas-to-write to 1 and min-replicas-max-lag");
      primary.configSet("min-replicas-to-write", "1");
    }
  }

  @Test
  void aWrongRedisPasswordIsSaid() throws IOException {
    environment.put("CUPBEAR_REDIS_PASSWORD", "wrong");
    assertThat(refusal()).contains("Redis does not answer", "CUPBEAR_REDIS_PASSWORD");
  }

  // ---- where to listen

  @Test
  void aWildcardIsRefused() throws IOException {
    environment.put("CUPBEAR_FLY_TOKEN", FlySimConfig.TOKEN);
    app = SimulatedFly.APP;
    listen = "0.0.0.0";
    assertThat(refusal()).contains("0.0.0.0").containsAnyOf("wildcard", "every");
  }

  @Test
  void aPortThatIsTakenIsNamed() throws IOException {
    environment.put("CUPBEAR_FLY_TOKEN", FlySimConfig.TOKEN);
    app = SimulatedFly.APP;
    listen = "127.0.0.1";
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      environment.put("CUPBEAR_LISTEN_API", "127.0.0.1:" + taken.getLocalPort());
      assertThat(refusal()).contains("" + taken.getLocalPort(), "in use");
    }
  }
}
