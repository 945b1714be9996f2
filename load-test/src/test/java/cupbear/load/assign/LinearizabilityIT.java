// SPDX-License-Identifier: Apache-2.0
package cupbear.load.assign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import cupbear.redis.LocalSentinel;
import cupbear.scheduler.adapter.redis.RedisPlace;
import cupbear.scheduler.adapter.redis.RedisStore;
import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionView;
import cupbear.scheduler.model.Standing;
import cupbear.scheduler.security.KeyRing;
import cupbear.scheduler.security.Role;
import cupbear.scheduler.security.Secret;
import cupbear.scheduler.security.TokenFile;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Four scheduler processes on one Redis behind Sentinel, 64 callers that behave as badly as real
 * ones, a process killed and restarted every few seconds, and one failover in the middle: no
 * Machine in two sessions, no key with two answers, no grant unaccounted for. The number of keys
 * comes from {@code -Dcupbear.torture.claims=100000}; the build runs a short one.
 */
class LinearizabilityIT {
  private static final Logger log = LoggerFactory.getLogger(LinearizabilityIT.class);
  private static final int REPLICAS = 4;
  private static final int CALLERS = 64;
  private static final int CLAIMS = Integer.getInteger("cupbear.torture.claims", 3_000);
  private static final Duration KILL_EVERY = Duration.ofSeconds(3);

  private final SecureRandom random = new SecureRandom();
  private final Secret key = KeyRing.newSecret(random);
  private final AtomicIntegerArray ports = new AtomicIntegerArray(REPLICAS);
  private final AtomicReferenceArray<ReplicaProcess> replicas =
      new AtomicReferenceArray<>(REPLICAS);

  @Test
  void noMachineIsEverInTwoHands(@TempDir Path folder) throws Exception {
    TokenFile tokens = new TokenFile(folder.resolve("tokens.json"));
    TokenFile.Wish wish =
        new TokenFile.Wish("gw", Role.GATEWAY, Set.of(), Instant.now(), Optional.empty());
    String token = tokens.create(wish, random).text().reveal();
    try (LocalSentinel redis = LocalSentinel.start();
        RedisStore store =
            new RedisStore(RedisPlace.of(redis.uri().toString()), Torture.REDIS, Torture.RULES)) {
      try {
        for (int i = 0; i < REPLICAS; i++) start(i, redis, tokens);
        await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> allWarm(store));
        torture(redis, tokens, token, store);
      } finally {
        for (int i = 0; i < REPLICAS; i++) {
          ReplicaProcess each = replicas.get(i);
          if (each != null) each.kill();
        }
      }
    }
  }

  private void start(int i, LocalSentinel redis, TokenFile tokens) {
    ReplicaProcess started = ReplicaProcess.start(redis.uri(), tokens.path(), key);
    replicas.set(i, started);
    ports.set(i, started.port());
  }

  private void torture(LocalSentinel redis, TokenFile tokens, String token, RedisStore store)
      throws Exception {
    Callers callers = new Callers(token, ports, CLAIMS);
    Scribe scribe = new Scribe(store);
    Thread writing = Thread.ofPlatform().daemon().start(scribe);
    List<Thread> all =
        IntStream.range(0, CALLERS)
            .mapToObj(i -> Thread.ofVirtual().start(() -> callers.live(i)))
            .toList();
    long begin = System.nanoTime();
    int kills = harm(callers, redis, tokens);
    for (Thread each : all) each.join();
    double took = (System.nanoTime() - begin) / 1e9;

    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .until(() -> allWarm(store) && liveSessions(store).isEmpty());
    scribe.finish();
    writing.join();
    List<Sighting> history = callers.history();
    log.info(
        "{} keys by {} callers in {} s: {} requests, {} answers held, {} grants, {} spent keys,"
            + " {} keys given up, {} processes killed, 1 failover",
        CLAIMS,
        CALLERS,
        "%.1f".formatted(took),
        callers.requests(),
        history.size(),
        scribe.granted().size(),
        callers.spent(),
        callers.unanswered(),
        kills);
    assertThat(callers.strange().stream().limit(5)).isEmpty();
    assertThat(Checker.check(history, aftermath(store, scribe)).stream().limit(20)).isEmpty();
    assertThat(history.size()).as("answers").isGreaterThan(CLAIMS * 3 / 4);
    assertThat(kills).as("processes killed").isPositive();
  }

  /** Kills one after another for as long as there is work, and the primary once. */
  private int harm(Callers callers, LocalSentinel redis, TokenFile tokens) {
    Random dice = new Random(7);
    int kills = 0;
    boolean failedOver = false;
    while (callers.begun() < CLAIMS) {
      int from = callers.begun();
      int half = CLAIMS / 2;
      boolean waitForHalf = !failedOver && from < half;
      await()
          .atMost(Duration.ofMinutes(30))
          .until(new Passed(KILL_EVERY, callers, waitForHalf ? half : CLAIMS)::isOver);
      if (!failedOver && callers.begun() >= half) {
        failedOver = true;
        redis.firstPrimary().kill();
      } else if (callers.begun() < CLAIMS) {
        int victim = dice.nextInt(REPLICAS);
        replicas.get(victim).kill();
        kills++;
        start(victim, redis, tokens);
      }
    }
    return kills;
  }

  /** Some time has passed, or the callers have come so far. */
  private record Passed(long endNanos, Callers callers, int claims) {
    Passed(Duration time, Callers callers, int claims) {
      this(System.nanoTime() + time.toNanos(), callers, claims);
    }

    boolean isOver() {
      return System.nanoTime() - endNanos >= 0 || callers.begun() >= claims;
    }
  }

  private static boolean allWarm(RedisStore store) {
    return notWarm(store).isEmpty();
  }

  private static Set<String> notWarm(RedisStore store) {
    List<Booked> machines =
        Waits.get(store.book().snapshot(Torture.POOL, Replica.REGION)).machines();
    Set<String> missing =
        IntStream.range(0, Torture.MACHINES)
            .mapToObj(i -> "m" + i)
            .collect(Collectors.toCollection(TreeSet::new));
    machines.stream()
        .filter(each -> each.state().standing() == Standing.WARM)
        .forEach(each -> missing.remove(each.id().value()));
    return missing;
  }

  private static Set<String> liveSessions(RedisStore store) {
    return Waits.get(store.claims().sessions(Torture.POOL, null)).stream()
        .map(each -> each.session().value())
        .collect(Collectors.toSet());
  }

  private static Checker.Aftermath aftermath(RedisStore store, Scribe scribe) {
    Set<String> over = new TreeSet<>(scribe.ended());
    Set<String> unknown = new TreeSet<>();
    List<String> open = new ArrayList<>(scribe.granted());
    open.removeAll(over);
    for (String each : open) {
      Optional<SessionView> view =
          Waits.get(store.claims().session(Torture.POOL, new SessionId(each)));
      if (view.isEmpty()) unknown.add(each);
      else if (view.get().stage() == SessionView.Stage.ENDED) over.add(each);
    }
    return new Checker.Aftermath(
        scribe.granted(), over, unknown, liveSessions(store), notWarm(store));
  }
}
