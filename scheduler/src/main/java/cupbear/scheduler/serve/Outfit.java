// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.serve;

import cupbear.fly.FlyClient;
import cupbear.fly.FlyConfig;
import cupbear.scheduler.adapter.fly.FlyMachines;
import cupbear.scheduler.adapter.probe.Reach;
import cupbear.scheduler.adapter.probe.SixPnPrefix;
import cupbear.scheduler.adapter.probe.ViewerProbes;
import cupbear.scheduler.adapter.redis.RedisPlace;
import cupbear.scheduler.adapter.redis.RedisSettings;
import cupbear.scheduler.adapter.redis.RedisStore;
import cupbear.scheduler.adapter.time.RandomIds;
import cupbear.scheduler.adapter.time.SystemTime;
import cupbear.scheduler.api.ApiParts;
import cupbear.scheduler.api.ReadyCheck;
import cupbear.scheduler.app.OneTimeLogins;
import cupbear.scheduler.app.Ports;
import cupbear.scheduler.config.CurrentSettings;
import cupbear.scheduler.config.PoolSettings;
import cupbear.scheduler.config.Settings;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.ReplicaId;
import cupbear.scheduler.model.StoreRules;
import cupbear.scheduler.security.OneTimeCredentials;
import cupbear.scheduler.security.Receipts;
import cupbear.scheduler.security.SealedCredentials;
import cupbear.scheduler.security.TokenDirectory;
import cupbear.scheduler.security.TokenFile;
import cupbear.scheduler.telemetry.Telemetry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a replica takes along: the store, Fly, the prober, clocks and keys. Made outside of Vert.x,
 * closed once; the parts themselves may be used by any thread.
 */
final class Outfit {
  private static final String PRIVATE_IP = "FLY_PRIVATE_IP";
  private static final String MACHINE_ID = "FLY_MACHINE_ID";

  /** Enough to tell two starts of one Machine apart. */
  private static final int ID_TAIL = 6;

  private final Vertx vertx;
  private final CurrentSettings settings;
  private final Telemetry telemetry;
  private final ReplicaId self;
  private final RedisStore store;
  private final FlyClient fly;
  private final ViewerProbes probes;
  private final Ports ports;
  private final TokenDirectory tokens;
  private final ApiParts.Trusting trusting;

  private Outfit(
      Vertx vertx,
      Telemetry telemetry,
      CurrentSettings settings,
      Secrets secrets,
      Map<String, String> env) {
    SecureRandom random = new SecureRandom();
    RandomIds ids = new RandomIds(random, InstantSource.system());
    Settings now = settings.get();
    this.vertx = vertx;
    this.settings = settings;
    this.telemetry = telemetry;
    this.self = replica(env, ids);
    this.store = store(now, secrets);
    telemetry.storeLanes(store::waiting);
    this.fly = fly(now, secrets);
    this.probes = new ViewerProbes(reach(now, env), this::probing);
    this.tokens = new TokenDirectory(new TokenFile(now.tokenFile()));
    SealedCredentials seals = new SealedCredentials(secrets.keys(), random);
    this.trusting = new ApiParts.Trusting(tokens, new Receipts(secrets.keys()), seals);
    this.ports =
        new Ports(
            store.claims(),
            store.book(),
            store.leadership(),
            store.recovery(),
            store.journal(),
            Map.of(now.fly().app(), machines(fly, now)),
            probes,
            new OneTimeLogins(new OneTimeCredentials(random), seals),
            new SystemTime(vertx),
            ids,
            telemetry.meters());
  }

  /**
   * @param env says where this process runs
   * @throws IllegalArgumentException when the settings cannot work here, saying what to change
   */
  static Outfit of(
      Vertx vertx,
      Telemetry telemetry,
      CurrentSettings settings,
      Secrets secrets,
      Map<String, String> env) {
    return new Outfit(vertx, telemetry, settings, secrets, env);
  }

  /** New with every start, and recognisable: it begins with the Fly Machine it runs on. */
  private static ReplicaId replica(Map<String, String> env, RandomIds ids) {
    String start = ids.next();
    String tail = start.substring(start.length() - ID_TAIL).toLowerCase(Locale.ROOT);
    return new ReplicaId(env.getOrDefault(MACHINE_ID, "local") + "-" + tail);
  }

  private RedisStore store(Settings settings, Secrets secrets) {
    RedisPlace place = RedisPlace.of(settings.redis().url());
    RedisPlace.Login login =
        new RedisPlace.Login(
            settings.redis().username(),
            secrets.redisPassword().map(each -> each.reveal()).orElse(null),
            place.login().tls(),
            place.login().database());
    RedisSettings usual = RedisSettings.DEFAULT;
    return new RedisStore(
        new RedisPlace(place.kind(), place.seeds(), place.primaryName(), login),
        new RedisSettings(
            usual.lanes(),
            usual.queueMax(),
            usual.timeout(),
            usual.callWithin(),
            settings.durability() == Settings.Durability.STRICT),
        StoreRules.DEFAULT,
        telemetry.meters());
  }

  private FlyClient fly(Settings settings, Secrets secrets) {
    var token = cupbear.fly.model.Secret.of(secrets.flyToken().reveal());
    FlyConfig config =
        FlyConfig.of(settings.fly().api(), () -> token)
            .pacing(FlyConfig.Pacing.USUAL.times(settings.fly().pace()));
    return FlyClient.create(vertx, config.hooks(telemetry.flyHooks()));
  }

  private FlyMachines machines(FlyClient client, Settings now) {
    FlyMachines.Scope scope =
        new FlyMachines.Scope(now.fly().app(), now.environment().managedBy(), this::stopTimeout);
    return new FlyMachines(client, scope, InstantSource.system());
  }

  private Duration stopTimeout(PoolName pool) {
    return pool(pool)
        .map(each -> each.ending().stopTimeout())
        .orElse(FlyMachines.Scope.STOP_TIMEOUT);
  }

  private Optional<PoolSettings.Probes> probing(PoolName pool) {
    return pool(pool).map(PoolSettings::probes);
  }

  private Optional<PoolSettings> pool(PoolName name) {
    return Optional.ofNullable(settings.get().pools().get(name));
  }

  /** On Fly our own address tells the network of our viewers; elsewhere there is only a demo. */
  private static Reach reach(Settings settings, Map<String, String> env) {
    String own = env.get(PRIVATE_IP);
    return own == null
        ? Reach.loopback(settings.environment(), Reach.Detour.NONE)
        : new Reach.SixPn(List.of(SixPnPrefix.of(own)));
  }

  Vertx vertx() {
    return vertx;
  }

  CurrentSettings settings() {
    return settings;
  }

  ReplicaId self() {
    return self;
  }

  Ports ports() {
    return ports;
  }

  Telemetry telemetry() {
    return telemetry;
  }

  RedisStore store() {
    return store;
  }

  FlyClient fly() {
    return fly;
  }

  TokenDirectory tokens() {
    return tokens;
  }

  ApiParts.Trusting trusting() {
    return trusting;
  }

  ApiParts.Showing showing(List<ReadyCheck> checks) {
    return new ApiParts.Showing(checks, telemetry::scrape, telemetry.apiMeters());
  }

  Future<Void> close() {
    return fly.close()
        .transform(any ->
            vertx.executeBlocking(() -> {
              probes.close();
              store.close();
              telemetry.close();
              return null;
            }));
  }
}
