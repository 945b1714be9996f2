// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.time;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.PoolName;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RandomIdsTest {
  private volatile Instant now = Instant.parse("2026-11-18T09:00:00Z");
  private final RandomIds ids = new RandomIds(new SecureRandom(), clock());

  private InstantSource clock() {
    return () -> now;
  }

  @Test
  void aSessionSaysItsPoolAndCanBeFoundByIt() {
    PoolName pool = new PoolName("viewers");
    assertThat(ids.session(pool).pool()).contains(pool);
    assertThat(ids.session(pool).value()).matches("ses_viewers_[0-9A-HJKMNP-TV-Z]{26}");
  }

  @Test
  void laterNamesSortBehindEarlierOnes() {
    String early = ids.next();
    now = now.plusMillis(1);
    assertThat(ids.next()).isGreaterThan(early);
  }

  @Test
  void noNameComesTwiceInOneMillisecond() {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 10_000; i++) assertThat(seen.add(ids.next())).isTrue();
  }

  @Test
  void marksOfTwoProcessesNeverMeet() {
    RandomIds other = new RandomIds(new SecureRandom(), clock());
    assertThat(ids.mark()).isNotEqualTo(ids.mark()).isNotEqualTo(other.mark());
  }
}
