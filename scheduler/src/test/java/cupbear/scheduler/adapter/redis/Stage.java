// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.ClaimRequest;
import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.Moved;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Proof;
import cupbear.scheduler.model.ProveResult;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.RegionReport;
import cupbear.scheduler.model.ReplicaId;
import cupbear.scheduler.model.ReplicaReport;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.StoreRules;
import cupbear.scheduler.model.StoreState;
import cupbear.scheduler.model.TemplateVersion;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.model.Waiter;
import cupbear.scheduler.port.Claims.SessionCall;
import cupbear.scheduler.port.StoreTrouble;
import io.vertx.core.Future;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

/** One replica with a store of its own in a pool of its own, and words for what it does there. */
final class Stage implements AutoCloseable {
  static final Region IAD = new Region("iad");
  static final ReplicaId SELF = new ReplicaId("replica-1");

  /** Does not wait long for a server that hangs. */
  static final RedisSettings HASTY =
      new RedisSettings(2, 16, Duration.ofMillis(300), Duration.ofSeconds(1), false);

  final PoolName pool;
  final RedisStore store;
  Mandate mandate;

  private Stage(PoolName pool, RedisStore store) {
    this.pool = pool;
    this.store = store;
    this.mandate = lead(List.of());
  }

  /** A new pool, which this replica leads. */
  static Stage open(URI url, RedisSettings settings) {
    PoolName pool = new PoolName("p" + UUID.randomUUID().toString().substring(0, 8));
    RedisStore store = new RedisStore(RedisPlace.of(url.toString()), settings, StoreRules.DEFAULT);
    return new Stage(pool, store);
  }

  /** Looks, reports what it remembers, and leads: all that it takes to grant again. */
  Mandate lead(List<Grant> remembered) {
    get(store.recovery().state(pool));
    ReplicaReport report = new ReplicaReport(SELF, Set.of(SELF), remembered);
    assertThat(get(store.recovery().report(pool, report))).isInstanceOf(StoreState.Ready.class);
    Mandate won =
        get(store.leadership().campaign(pool, IAD, SELF, Duration.ofMinutes(1))).orElseThrow();
    get(store.recovery().report(won, new RegionReport(List.of(), Set.of())));
    return won;
  }

  StoreRules rules() {
    return StoreRules.DEFAULT;
  }

  /** On the shelf. */
  Proof warm(String id) {
    Proof proof = proving(id);
    assertThat(get(store.book().prove(mandate, proof, Terms.DEFAULT)))
        .isInstanceOf(ProveResult.Warm.class);
    return proof;
  }

  /** So many on the shelf, all at once. */
  void warmAll(int machines) {
    List<Future<ProveResult>> all =
        IntStream.range(0, machines)
            .mapToObj(i -> {
              Booked booked = booked("m" + i);
              return store
                  .book()
                  .move(mandate, new Move.Enrol(booked))
                  .compose(any -> store.book().move(mandate, new Move.Boot(booked.id(), "fdaa::1")))
                  .compose(any -> store.book().prove(mandate, proof(booked), Terms.DEFAULT));
            })
            .toList();
    get(Future.all(all));
  }

  /** Goes to somebody who waits. */
  void proveForAWaiter(String id) {
    assertThat(get(store.book().prove(mandate, proving(id), Terms.DEFAULT)))
        .isInstanceOf(ProveResult.Granted.class);
  }

  private Proof proving(String id) {
    Booked booked = booked(id);
    MachineId machine = booked.id();
    assertThat(get(store.book().move(mandate, new Move.Enrol(booked))))
        .isInstanceOf(Moved.Done.class);
    assertThat(get(store.book().move(mandate, new Move.Boot(machine, "fdaa::1"))))
        .isInstanceOf(Moved.Done.class);
    return proof(booked);
  }

  private static Booked booked(String id) {
    Instant booted = Instant.ofEpochMilli(System.currentTimeMillis());
    return new Booked(
        new MachineId(id),
        "name-" + id,
        IAD,
        new TemplateVersion("7"),
        Keep.ALWAYS,
        booted,
        null,
        new MachineState.Provisioning(booted),
        null);
  }

  private static Proof proof(Booked booked) {
    return new Proof(booked.id(), booked.bootedAt(), booked.bootedAt(), booked.bootedAt());
  }

  ClaimRequest request(String key) {
    return request(key, Duration.ZERO);
  }

  ClaimRequest request(String key, Duration patience) {
    return new ClaimRequest(
        pool,
        new Caller("gw"),
        "acme",
        key,
        "fp",
        new Waiter(new SessionId("ses_" + UUID.randomUUID().toString().substring(0, 13)), "m-1"),
        List.of(IAD),
        patience,
        Terms.DEFAULT);
  }

  Future<ClaimResult> claim(String key) {
    return store.claims().claim(request(key));
  }

  /** It must be granted now. */
  Grant granted(String key) {
    ClaimResult result = get(claim(key));
    assertThat(result).isInstanceOf(ClaimResult.Granted.class);
    return ((ClaimResult.Granted) result).grant();
  }

  /** Asks until it is granted, whatever happens in between. */
  ClaimResult.Granted answered(String key) {
    return (ClaimResult.Granted)
        await()
            .ignoreExceptionsInstanceOf(IllegalStateException.class)
            .until(() -> get(claim(key)), ClaimResult.Granted.class::isInstance);
  }

  SessionCall call(Grant grant) {
    return new SessionCall(pool, grant.session(), grant.caller(), Terms.DEFAULT);
  }

  static StoreTrouble.Kind trouble(Future<?> future) {
    await().pollInterval(Duration.ofMillis(5)).until(future::isComplete);
    assertThat(future.cause()).isInstanceOf(StoreTrouble.class);
    return ((StoreTrouble) future.cause()).kind();
  }

  static <T> T get(Future<T> future) {
    await().pollInterval(Duration.ofMillis(5)).until(future::isComplete);
    if (future.failed()) throw new IllegalStateException(future.cause());
    return future.result();
  }

  @Override
  public void close() {
    store.close();
  }
}
