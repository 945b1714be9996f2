// SPDX-License-Identifier: Apache-2.0
package cupbear.load.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import cupbear.load.stack.StackPlan.Bounds;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who comes when is settled by the seed alone, and looks as it was asked for. */
class CrowdTest {
  private static final Duration STAY = Duration.ofSeconds(2);
  private static final Duration WAIT = Duration.ofSeconds(30);
  private static final List<Bounds> REGIONS =
      List.of(new Bounds("iad", 30, 42), new Bounds("nrt", 10, 14));
  private static final int USERS = 20_000;

  private static Crowd crowd(long seed) {
    return new Crowd(seed, REGIONS, STAY, WAIT);
  }

  private static List<Arrival> stream(long seed) {
    Duration until = Duration.ofSeconds(USERS / 50);
    return crowd(seed).stream(Duration.ZERO, until, 50).schedule();
  }

  @Test
  @DisplayName("the same seed gives the same users, another seed others")
  void seeds() {
    assertThat(stream(7)).isEqualTo(stream(7)).isNotEqualTo(stream(8));
  }

  @Test
  @DisplayName("as many come as the rate says, in order, within the time")
  void rate() {
    List<Arrival> all = stream(1);
    assertThat(all.size()).isBetween((int) (0.97 * USERS), (int) (1.03 * USERS));
    assertThat(all).isSorted();
    assertThat(all.getFirst().at()).isPositive();
    assertThat(all.getLast().at()).isLessThan(Duration.ofSeconds(USERS / 50));
  }

  @Test
  @DisplayName("they stay as long as asked for on average, some far longer")
  void stays() {
    List<Arrival> all = stream(1);
    double mean = all.stream().mapToLong(each -> each.stays().toMillis()).average().orElseThrow();
    double wanted = STAY.toMillis();
    assertThat(mean).isCloseTo(wanted, within(0.05 * wanted));
    assertThat(all).anyMatch(each -> each.stays().compareTo(STAY.multipliedBy(6)) > 0);
    assertThat(all).allMatch(each -> each.stays().compareTo(STAY.multipliedBy(10)) <= 0);
  }

  @Test
  @DisplayName("regions by their weight; none where there is none to prefer")
  void regions() {
    List<Arrival> all = stream(1);
    double share =
        (double) all.stream().filter(each -> "iad".equals(each.region())).count() / all.size();
    assertThat(share).isCloseTo(0.75, within(0.02));
    List<Arrival> anywhere = new Crowd(1, List.of(), STAY, WAIT).burst(Duration.ZERO, 3).schedule();
    assertThat(anywhere).extracting(Arrival::region).containsOnlyNulls();
  }

  @Test
  @DisplayName("a burst is one instant, and follows what came before it")
  void burst() {
    List<Arrival> all =
        crowd(1).burst(Duration.ofSeconds(3), 5, "big").burst(Duration.ofSeconds(1), 2).schedule();
    assertThat(all)
        .extracting(each -> each.at().toSeconds())
        .containsExactly(1L, 1L, 3L, 3L, 3L, 3L, 3L);
    assertThat(all.subList(2, 7)).allMatch(each -> each.tenant().equals("big"));
    assertThat(all).extracting(Arrival::number).doesNotHaveDuplicates();
  }
}
