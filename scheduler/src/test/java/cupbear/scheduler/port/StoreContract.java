// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import static org.assertj.core.api.Assertions.assertThat;

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
import cupbear.scheduler.model.SessionView;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.model.StoreState;
import cupbear.scheduler.model.TemplateVersion;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.model.Terms.Failover;
import cupbear.scheduler.model.Waiter;
import cupbear.scheduler.port.Claims.SessionCall;
import cupbear.scheduler.port.StoreFixture.Replica;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What the contracts of the store's ports have in common: two replicas, {@code a} and {@code b}, of
 * which {@code a} leads both regions of a pool; and words for what happens to a Machine.
 */
abstract class StoreContract {
  static final PoolName POOL = new PoolName("viewers");
  static final Region IAD = new Region("iad");
  static final Region LHR = new Region("lhr");
  static final ReplicaId A = new ReplicaId("a");
  static final ReplicaId B = new ReplicaId("b");
  static final Caller GATEWAY = new Caller("gateway");
  static final Caller OTHER_GATEWAY = new Caller("other");

  /** The boot of every Machine that is not said to have another. */
  static final Instant BOOT = Instant.parse("2026-01-01T00:00:00Z");

  StoreFixture store;
  Replica a;
  Replica b;
  Mandate iad;
  Mandate lhr;

  private int marks;

  abstract StoreFixture open();

  @BeforeEach
  void openTheStore() {
    store = open();
    a = store.replica();
    b = store.replica();
    get(a.recovery().state(POOL));
    get(a.recovery().report(POOL, new ReplicaReport(A, Set.of(A), List.of())));
    get(b.recovery().state(POOL));
    iad = leads(a, A, IAD);
    lhr = leads(a, A, LHR);
    get(a.recovery().report(iad, new RegionReport(List.of(), Set.of())));
    get(a.recovery().report(lhr, new RegionReport(List.of(), Set.of())));
    assertThat(get(b.recovery().state(POOL))).isInstanceOf(StoreState.Ready.class);
  }

  @AfterEach
  void closeTheStore() {
    store.close();
  }

  /** What a call gives; it must not fail. */
  static <T> T get(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    } catch (ExecutionException failure) {
      throw new AssertionError("the store answered: " + failure.getCause(), failure.getCause());
    } catch (InterruptedException | TimeoutException failure) {
      throw new AssertionError("the store did not answer", failure);
    }
  }

  /** How a call fails; it must. */
  static StoreTrouble.Kind trouble(Future<?> future) {
    try {
      Object answer = future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
      throw new AssertionError("the store should have refused, and said " + answer);
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof StoreTrouble trouble) return trouble.kind();
      throw new AssertionError("not the store's word", failure);
    } catch (InterruptedException | TimeoutException failure) {
      throw new AssertionError("the store did not answer", failure);
    }
  }

  Mandate leads(Replica replica, ReplicaId self, Region region) {
    return get(replica.leadership().campaign(POOL, region, self, store.far())).orElseThrow();
  }

  // ---- terms

  /** Nothing runs out under these. */
  Terms easy() {
    return terms(Failover.NOTIFY);
  }

  Terms terms(Failover failover) {
    Duration far = store.far();
    return new Terms(far, far, far.multipliedBy(8), far.multipliedBy(24), 200, failover);
  }

  Terms confirmWithin(Duration time) {
    Terms easy = easy();
    return new Terms(
        time, easy.lease(), easy.maxSession(), easy.keyKept(), easy.queueMax(), easy.failover());
  }

  Terms lease(Duration time) {
    return lease(time, Failover.NOTIFY);
  }

  Terms lease(Duration time, Failover failover) {
    Terms easy = easy();
    return new Terms(
        easy.confirmWithin(), time, easy.maxSession(), easy.keyKept(), easy.queueMax(), failover);
  }

  Terms maxSession(Duration time) {
    Terms easy = easy();
    return new Terms(
        easy.confirmWithin(), easy.lease(), time, easy.keyKept(), easy.queueMax(), easy.failover());
  }

  Terms keyKept(Duration time) {
    Terms easy = easy();
    return new Terms(
        easy.confirmWithin(), easy.lease(), easy.maxSession(), time, 200, easy.failover());
  }

  Terms queueMax(int most) {
    Terms easy = easy();
    return new Terms(
        easy.confirmWithin(),
        easy.lease(),
        easy.maxSession(),
        easy.keyKept(),
        most,
        easy.failover());
  }

  // ---- Machines

  static MachineId machine(String id) {
    return new MachineId(id);
  }

  Mandate mandate(Region region) {
    return region.equals(IAD) ? iad : lhr;
  }

  static Booked booked(String id, Region region, String template, MachineState state) {
    return new Booked(
        machine(id),
        "name-" + id,
        region,
        new TemplateVersion(template),
        Keep.ALWAYS,
        BOOT,
        null,
        state,
        null);
  }

  /** Enrolled, booted, staged: only a proof is missing. */
  void proving(String id, Region region, String template) {
    Booked made = booked(id, region, template, new MachineState.Provisioning(BOOT));
    done(new Move.Enrol(made), region);
    done(new Move.Boot(machine(id), "fdaa::" + id), region);
    done(new Move.Stage(machine(id), BOOT, "sealed-" + id), region);
  }

  void done(Move move, Region region) {
    assertThat(get(a.book().move(mandate(region), move))).isInstanceOf(Moved.Done.class);
  }

  ProveResult prove(String id, Region region) {
    return get(a.book().prove(mandate(region), proof(id), easy()));
  }

  Proof proof(String id) {
    return proof(id, store.now());
  }

  static Proof proof(String id, Instant at) {
    return new Proof(machine(id), BOOT, at, at);
  }

  /** On the shelf in iad. */
  void warm(String... ids) {
    for (String id : ids) warm(id, IAD, "7");
  }

  void warm(String id, Region region, String template) {
    proving(id, region, template);
    assertThat(prove(id, region)).isInstanceOf(ProveResult.Warm.class);
  }

  /** Where the book has it; null when it is not in the book. */
  @Nullable Standing standing(String id) {
    Booked booked = find(id);
    return booked == null ? null : booked.state().standing();
  }

  @Nullable Booked find(String id) {
    for (Region region : List.of(IAD, LHR)) {
      for (Booked each : get(a.book().snapshot(POOL, region)).machines()) {
        if (each.id().value().equals(id)) return each;
      }
    }
    return null;
  }

  Booked book(String id) {
    Booked found = find(id);
    if (found == null) throw new AssertionError(id + " is not in the book");
    return found;
  }

  // ---- requests

  /** A request under a key, by the usual gateway for the usual tenant, that would wait long. */
  ClaimRequest request(String key) {
    return request(key, "acme", List.of(IAD), store.far(), easy());
  }

  ClaimRequest request(
      String key, String tenant, List<Region> regions, Duration patience, Terms terms) {
    return new ClaimRequest(
        POOL, GATEWAY, tenant, key, "body", waiter(key), regions, patience, terms);
  }

  ClaimRequest request(String key, Terms terms) {
    return request(key, "acme", List.of(IAD), store.far(), terms);
  }

  /** A new call for the session of this key. */
  Waiter waiter(String key) {
    marks++;
    return new Waiter(new SessionId("ses-" + key + "-" + marks), "mark-" + marks);
  }

  /** The mark of the newest call. */
  String lastMark() {
    return "mark-" + marks;
  }

  ClaimResult claim(ClaimRequest request) {
    return get(a.claims().claim(request));
  }

  Grant granted(ClaimRequest request) {
    ClaimResult result = claim(request);
    assertThat(result).isInstanceOf(ClaimResult.Granted.class);
    return ((ClaimResult.Granted) result).grant();
  }

  Grant granted(String key) {
    return granted(request(key));
  }

  Waiter queued(ClaimRequest request) {
    ClaimResult result = claim(request);
    assertThat(result).isInstanceOf(ClaimResult.Queued.class);
    return ((ClaimResult.Queued) result).waiter();
  }

  Waiter queued(String key) {
    return queued(request(key));
  }

  SessionCall call(Grant grant) {
    return call(grant, easy());
  }

  SessionCall call(Grant grant, Terms terms) {
    return new SessionCall(POOL, grant.session(), GATEWAY, terms);
  }

  SessionView view(SessionId session) {
    return get(a.claims().session(POOL, session)).orElseThrow();
  }

  // ---- time

  /**
   * What a leader does with every tick, until this many sessions have ended. Two ticks are closer
   * together than a gateway's renewals, as in life; else the store takes it for an outage.
   */
  List<SessionView> expire(int many, Terms terms) {
    List<SessionView> ended = new ArrayList<>();
    for (int i = 0; i < 60 && ended.size() < many; i++) {
      ended.addAll(get(a.book().expire(iad, terms)));
      if (ended.size() < many) store.pass(terms.renewWithin().dividedBy(2));
    }
    assertThat(ended).as("sessions that ended").hasSize(many);
    return ended;
  }

  /** As {@link #expire}, until the Machine stands there. */
  void expireUntil(String id, Standing standing, Terms terms) {
    for (int i = 0; i < 60 && standing(id) != standing; i++) {
      var unused = get(a.book().expire(iad, terms));
      store.pass(terms.renewWithin().dividedBy(2));
    }
    assertThat(standing(id)).isEqualTo(standing);
  }
}
