// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import static cupbear.scheduler.adapter.redis.Stage.IAD;
import static cupbear.scheduler.adapter.redis.Stage.get;
import static cupbear.scheduler.adapter.redis.Stage.trouble;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.ClaimRequest;
import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.StoreRules;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.model.Waiter;
import cupbear.scheduler.port.StoreTrouble;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a call when the server refuses it, word by word. */
class RedisRefusalsIT {
  private static final PoolName POOL = new PoolName("viewers");

  /** One lane, so that calls and connections can be counted. */
  private static final RedisSettings ONE_LANE =
      new RedisSettings(1, 16, Duration.ofSeconds(2), Duration.ofSeconds(10), false);

  private final ScriptedRedis redis;
  private final RedisStore store;

  RedisRefusalsIT() throws IOException {
    redis = new ScriptedRedis();
    store = new RedisStore(RedisPlace.of(redis.url()), ONE_LANE, StoreRules.DEFAULT);
  }

  @AfterEach
  void close() {
    store.close();
    redis.close();
  }

  private Future<ClaimResult> claim() {
    return store
        .claims()
        .claim(
            new ClaimRequest(
                POOL,
                new Caller("gw"),
                "acme",
                "key-0123456789abcdef",
                "fingerprint",
                new Waiter(SessionId.of(POOL, "0".repeat(26)), "mark"),
                List.of(IAD),
                Duration.ZERO,
                Terms.DEFAULT));
  }

  /** As a good answer looks here. */
  private void isAnswered(Future<ClaimResult> claim) {
    assertThat(get(claim)).isInstanceOf(ClaimResult.NoneWarm.class);
  }

  @Test
  @DisplayName("a script that the server does not know is loaded and called again")
  void noScript() {
    redis.refuse("NOSCRIPT No matching script. Please use EVAL.");
    isAnswered(claim());
    assertThat(redis.loaded()).isEqualTo(1);
    assertThat(redis.scripts()).isEqualTo(2);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "READONLY You can't write against a read only replica.",
        "MOVED 3999 127.0.0.1:6381",
        "ASK 3999 127.0.0.1:6381",
        "TRYAGAIN Multiple keys request during rehashing of slot",
        "CLUSTERDOWN The cluster is down",
        "MASTERDOWN Link with MASTER is down"
      })
  @DisplayName("another server is the primary now: it is looked for, and asked instead")
  void elsewhere(String words) {
    redis.refuse(words);
    isAnswered(claim());
    assertThat(redis.scripts()).isEqualTo(2);
  }

  @Test
  @DisplayName("when there is no primary for long the caller is told, after a few attempts")
  void elsewhereForever() {
    for (int i = 0; i < 20; i++) redis.refuse("READONLY You can't write against a replica.");
    assertThat(trouble(claim())).isEqualTo(StoreTrouble.Kind.UNREACHABLE);
    assertThat(redis.scripts()).isLessThan(10);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "LOADING Redis is loading the dataset in memory",
        "BUSY Redis is busy running a script.",
        "NOREPLICAS Not enough good replicas to write.",
        "OOM command not allowed when used memory > 'maxmemory'.",
        "MISCONF Redis is configured to save RDB snapshots, but it cannot persist on disk.",
        "NOAUTH Authentication required.",
        "NOPERM this user has no permissions"
      })
  @DisplayName("a server that will not work is unreachable, on a new connection the next time")
  void notNow(String words) {
    isAnswered(claim());
    // The lane, and the ear that listens for grants.
    await().until(() -> redis.identified() == 2);
    redis.refuse(words);
    assertThat(trouble(claim())).isEqualTo(StoreTrouble.Kind.UNREACHABLE);
    isAnswered(claim());
    assertThat(redis.identified()).isEqualTo(3);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "ERR user_script:12: a bug of ours, UNSURE",
    "CB_FENCED somebody else leads iad, FENCED",
    ScriptedRedis.HANG_UP + ", UNSURE"
  })
  @DisplayName("what may have been carried out is never called undone")
  void said(String words, StoreTrouble.Kind kind) {
    redis.refuse(words);
    assertThat(trouble(claim())).isEqualTo(kind);
    isAnswered(claim());
  }

  @Test
  @DisplayName("a caller that fails at hearing its answer does not end the lane for the others")
  void brokenCaller() {
    isAnswered(claim());
    CountDownLatch gate = redis.hold();
    claim()
        .onComplete(any -> {
          throw new IllegalStateException("a caller's bug, told by the test");
        });
    gate.countDown();
    isAnswered(claim());
  }

  @Test
  @DisplayName("a server that has lost data is asked who it is; the same one means recovery")
  void lost() {
    redis.refuse("CB_LOST the store is empty; look at its state first");
    assertThat(get(claim())).isInstanceOf(ClaimResult.Recovering.class);
    assertThat(redis.scripts()).isEqualTo(1);
  }
}
