// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.StoreState;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What is told of a store: that it is not as it was, and never the same word again. */
class StoreHealthTest {
  private static final PoolName POOL = new PoolName("viewers");
  private static final StoreState READY = new StoreState.Ready(1);
  private static final StoreState LOST =
      new StoreState.Recovering(2, Instant.EPOCH, Instant.EPOCH.plusSeconds(20));

  private final VirtualTime time = new VirtualTime();
  private final StoreHealth health = new StoreHealth(time);

  @Test
  void thatItIsThereIsNoNewsAtTheStart() {
    assertThat(health.news(POOL)).as("nothing was heard yet").isEmpty();
    health.heard(POOL, READY);
    assertThat(health.news(POOL)).isEmpty();
    assertThat(health.news(POOL)).isEmpty();
  }

  @Test
  void silenceAndLossAreToldOnceAndSoIsTheirEnd() {
    health.heard(POOL, READY);
    assertThat(health.news(POOL)).isEmpty();
    time.pass(Duration.ofSeconds(6));
    assertThat(health.news(POOL)).contains("silent");
    assertThat(health.news(POOL)).isEmpty();
    health.heard(POOL, LOST);
    assertThat(health.news(POOL)).contains("recovering");
    health.heard(POOL, LOST);
    assertThat(health.news(POOL)).isEmpty();
    health.heard(POOL, READY);
    assertThat(health.news(POOL)).contains("fine");
    assertThat(health.news(POOL)).isEmpty();
  }

  @Test
  void aStoreThatIsLostFromTheStartIsTold() {
    assertThat(health.news(POOL)).isEmpty();
    health.heard(POOL, LOST);
    assertThat(health.news(POOL)).contains("recovering");
  }
}
