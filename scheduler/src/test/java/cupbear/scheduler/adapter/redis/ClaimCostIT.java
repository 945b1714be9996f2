// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import static cupbear.scheduler.adapter.redis.Stage.get;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.redis.LocalRedis;
import cupbear.redis.testing.RedisExtension;
import cupbear.scheduler.model.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.Jedis;

/**
 * What a claim makes Redis do, counted by Redis itself: so many commands, however large the pool.
 * Each of them takes at most O(log n); {@code bench assign} measures the time.
 */
@ExtendWith(RedisExtension.class)
class ClaimCostIT {
  /** Something is tidied with every sixteenth epoch, so in so many claims exactly once. */
  private static final int CLAIMS = 16;

  private static final int SMALL = 20;
  private static final int LARGE = 3_000;

  /** Of all commands inside the script, for one claim; more than this needs a good reason. */
  private static final int COMMANDS_MOST = 22;

  private static final RedisSettings ROOMY =
      new RedisSettings(2, 65_536, Duration.ofSeconds(10), Duration.ofSeconds(20), false);
  private static final Pattern CALLS = Pattern.compile("cmdstat_(\\S+?):calls=(\\d+)");

  private final LocalRedis redis;

  ClaimCostIT(LocalRedis redis) {
    this.redis = redis;
  }

  @Test
  @DisplayName("a claim, a renewal and a release take the same commands in any pool")
  void doesNotGrow() {
    try (Stage small = Stage.open(redis.address().uri(), ROOMY);
        Stage large = Stage.open(redis.address().uri(), ROOMY)) {
      small.warmAll(SMALL);
      large.warmAll(LARGE);
      Map<String, Long> few = commandsOf(small);
      Map<String, Long> many = commandsOf(large);
      assertThat(many).isEqualTo(few);
    }
  }

  @Test
  @DisplayName("a claim is a bounded number of commands")
  void bounded() {
    try (Stage stage = Stage.open(redis.address().uri(), ROOMY)) {
      stage.warmAll(SMALL);
      stage.granted("warm-up");
      reset();
      claim(stage);
      Map<String, Long> counted = counted();
      assertThat(counted.remove("evalsha")).isEqualTo(CLAIMS);
      long all = counted.values().stream().mapToLong(Long::longValue).sum();
      assertThat(all / CLAIMS).as("%s", counted).isLessThanOrEqualTo(COMMANDS_MOST);
    }
  }

  private Map<String, Long> commandsOf(Stage stage) {
    // The scripts are loaded, and nothing else is on its way.
    Grant before = stage.granted("warm-up");
    get(stage.store.claims().renew(stage.call(before), before.epoch(), null));
    get(stage.store.claims().release(stage.call(before)));
    reset();
    List<Grant> grants = claim(stage);
    for (Grant each : grants) {
      get(stage.store.claims().renew(stage.call(each), each.epoch(), null));
      get(stage.store.claims().release(stage.call(each)));
    }
    return counted();
  }

  private static List<Grant> claim(Stage stage) {
    List<Grant> grants = new ArrayList<>();
    for (int i = 0; i < CLAIMS; i++) grants.add(stage.granted("k-" + i));
    return grants;
  }

  private void reset() {
    try (Jedis jedis = redis.address().connect()) {
      jedis.configResetStat();
    }
  }

  /** By command; without our own questions and those of the ears. */
  private Map<String, Long> counted() {
    try (Jedis jedis = redis.address().connect()) {
      Map<String, Long> calls = new TreeMap<>();
      Matcher each = CALLS.matcher(jedis.info("commandstats"));
      while (each.find()) calls.put(each.group(1), Long.parseLong(each.group(2)));
      List.of(
              "auth",
              "info",
              "config|resetstat",
              "xread",
              "client|setname",
              "client|setinfo",
              "hello",
              "select",
              "ping")
          .forEach(calls::remove);
      return calls;
    }
  }
}
