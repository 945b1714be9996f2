// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import static cupbear.scheduler.core.Pool.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cupbear.scheduler.model.BootFigures;
import cupbear.scheduler.model.Capacity;
import cupbear.scheduler.model.Policy;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.TemplateVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a loop remembers between passes: rates, boots, arrivals, refusals. */
class MemoryTest {
  private static final Region IAD = new Region("iad");
  private static final Policy.Trust USUAL = Policy.Trust.DEFAULT;
  private static final TemplateVersion SEVEN = new TemplateVersion("7");

  @Test
  void aBucketGivesItsBurstAndThenOneTokenATime() {
    Bucket bucket = Bucket.full(3, Duration.ofSeconds(1), NOW);
    Bucket dry = bucket.take(3, NOW).orElseThrow();
    assertThat(dry.take(1, NOW)).isEmpty();
    assertThat(dry.take(1, NOW.plusMillis(999))).isEmpty();
    assertThat(dry.take(1, NOW.plusMillis(1000))).isPresent();
    assertThat(dry.take(2, NOW.plusMillis(1999))).isEmpty();
    assertThat(dry.until(2, NOW.plusMillis(500))).isEqualTo(Duration.ofMillis(1500));
    assertThat(dry.until(0, NOW)).isZero();
  }

  @Test
  void aBucketKeepsNoMoreThanItsBurstHoweverLongItRests() {
    Bucket rested = Bucket.full(3, Duration.ofSeconds(1), NOW);
    Instant later = NOW.plus(Duration.ofDays(9));
    assertThat(rested.take(4, later)).isEmpty();
    assertThat(rested.take(3, later).flatMap(next -> next.take(1, later))).isEmpty();
  }

  @Test
  void aBucketKeepsPartsOfATokenBetweenTwoTakes() {
    Optional<Bucket> bucket = Bucket.full(1, Duration.ofSeconds(1), NOW).take(1, NOW);
    for (int i = 1; i <= 4; i++) {
      Instant at = NOW.plusMillis(1500L * i);
      bucket = bucket.flatMap(next -> next.take(1, at));
    }
    assertThat(bucket).isPresent();
  }

  @Test
  void aClockThatJumpsBackNeitherFillsNorEmptiesABucket() {
    Bucket dry = Bucket.full(2, Duration.ofSeconds(1), NOW).take(2, NOW).orElseThrow();
    assertThat(dry.take(1, NOW.minusSeconds(99))).isEmpty();
    assertThat(dry.take(2, NOW.plusSeconds(2))).isPresent();
  }

  @Test
  void aBucketThatCannotWorkIsRefused() {
    assertThatThrownBy(() -> Bucket.full(0, Duration.ofSeconds(1), NOW))
        .hasMessageContaining("cap");
    assertThatThrownBy(() -> Bucket.full(1, Duration.ZERO, NOW)).hasMessageContaining("positive");
  }

  @ParameterizedTest(name = "{0} failures, luck {1}: wait {2} ms")
  @CsvSource({
    "3, 0.0, 1000",
    "4, 0.0, 1000",
    "4, 0.5, 1500",
    "6, 0.0, 4000",
    "6, 0.75, 7000",
    "9, 0.0, 30000",
    "9, 0.999, 59970",
    "50, 0.5, 45000"
  })
  void refusedCreatesBackOffFromOneSecondToSixtyWithJitter(int failures, double luck, long wait) {
    CapacityMemory memory = CapacityMemory.NONE;
    for (int i = 0; i < failures; i++) memory = memory.failed(IAD, luck, USUAL, NOW);
    Capacity capacity = memory.of(IAD);
    assertThat(CapacityMemory.isShort(capacity, USUAL)).isTrue();
    assertThat(Duration.between(NOW, Objects.requireNonNull(capacity.retryAt())).toMillis())
        .isEqualTo(wait);
  }

  @Test
  void twoRefusalsAreBadLuckAndASuccessForgivesAll() {
    CapacityMemory two = CapacityMemory.NONE.failed(IAD, 0, USUAL, NOW).failed(IAD, 0, USUAL, NOW);
    assertThat(two.of(IAD)).isEqualTo(new Capacity(2, null));
    assertThat(CapacityMemory.isShort(two.of(IAD), USUAL)).isFalse();
    assertThat(two.failed(IAD, 0, USUAL, NOW).created(IAD).of(IAD)).isEqualTo(Capacity.AMPLE);
    assertThat(two.failed(IAD, 0, USUAL, NOW).of(new Region("lhr"))).isEqualTo(Capacity.AMPLE);
  }

  @ParameterizedTest(name = "{0} refusals of {1} allowed: short {2}, wait {3} ms")
  @CsvSource({"1, 1, true, 2000", "4, 5, false, 0", "5, 5, true, 2000", "9, 5, true, 10000"})
  void whenARegionIsShortAndForHowLongIsForThePolicyToSay(
      int failures, int allowed, boolean isShort, long wait) {
    Policy.Trust limits =
        new Policy.Trust(0.5, 3, 2, allowed, Duration.ofSeconds(2), Duration.ofSeconds(10));
    CapacityMemory memory = CapacityMemory.NONE;
    for (int i = 0; i < failures; i++) memory = memory.failed(IAD, 1, limits, NOW);
    Capacity capacity = memory.of(IAD);
    assertThat(CapacityMemory.isShort(capacity, limits)).isEqualTo(isShort);
    Instant retryAt = capacity.retryAt() == null ? NOW : capacity.retryAt();
    assertThat(Duration.between(NOW, retryAt)).isEqualTo(Duration.ofMillis(wait));
  }

  @Test
  void bootFiguresAreMeasuredPerTemplate() {
    BootTimes times = BootTimes.NONE.with(new TemplateVersion("6"), Duration.ofHours(1));
    for (int i = 1; i <= 100; i++) times = times.with(SEVEN, Duration.ofSeconds(i));
    assertThat(times.figures(SEVEN))
        .isEqualTo(new BootFigures(100, Duration.ofSeconds(95), Duration.ofSeconds(99)));
    assertThat(times.figures(new TemplateVersion("8"))).isEqualTo(BootFigures.NONE);
  }

  @Test
  void oldBootsAndOldTemplatesAreForgotten() {
    BootTimes times = BootTimes.NONE;
    for (int i = 1; i <= 250; i++) times = times.with(SEVEN, Duration.ofSeconds(i));
    assertThat(times.figures(SEVEN).samples()).isEqualTo(200);
    for (int version = 8; version <= 11; version++) {
      times = times.with(new TemplateVersion("" + version), Duration.ofSeconds(1));
    }
    assertThat(times.figures(SEVEN)).isEqualTo(BootFigures.NONE);
    times = times.with(SEVEN, Duration.ofSeconds(1));
    assertThat(times.figures(SEVEN).samples()).as("after a step back").isEqualTo(1);
  }

  @ParameterizedTest(name = "{0} boots with p99 {1} s: {2} s")
  @CsvSource({"0, 0, 180", "19, 10, 180", "20, 60, 120", "20, 5, 30", "20, 9999, 900"})
  void theBootDeadlineFollowsWhatWasMeasured(int samples, long p99, long deadline) {
    BootFigures figures =
        new BootFigures(samples, Duration.ofSeconds(p99), Duration.ofSeconds(p99));
    assertThat(BootTimes.deadline(figures, Policy.Probing.DEFAULT))
        .isEqualTo(Duration.ofSeconds(deadline));
  }

  @ParameterizedTest(name = "{0} times a p99 of 60 s: {1} s")
  @CsvSource({"1.0, 60", "1.5, 90", "3.0, 180", "100.0, 900"})
  void howManyTimesTheP99IsForThePolicyToSay(double factor, long deadline) {
    Policy.Probing usual = Policy.Probing.DEFAULT;
    Policy.Probing probing =
        new Policy.Probing(
            usual.strikesOut(),
            usual.healthyRounds(),
            usual.brakeShare(),
            usual.brakeAtLeast(),
            usual.round(),
            usual.trust(),
            usual.hostGrace(),
            usual.bootDeadline(),
            factor);
    BootFigures figures = new BootFigures(20, Duration.ofSeconds(60), Duration.ofSeconds(60));
    assertThat(BootTimes.deadline(figures, probing)).isEqualTo(Duration.ofSeconds(deadline));
  }

  @Test
  void arrivalsAreCountedWithinAWindow() {
    Arrivals arrivals =
        Arrivals.none(Duration.ofMinutes(10))
            .plus(5, NOW)
            .plus(2, NOW.plusSeconds(50))
            .plus(1, NOW.plusSeconds(100));
    assertThat(arrivals.within(Duration.ofMinutes(1), NOW.plusSeconds(100))).isEqualTo(3);
    assertThat(arrivals.within(Duration.ofMinutes(10), NOW.plusSeconds(100))).isEqualTo(8);
    assertThat(arrivals.within(Duration.ofMinutes(10), NOW.plusSeconds(900))).isZero();
  }

  @Test
  void theLargestOfLateIsForgottenWithItsWindow() {
    Recent<Integer> targets =
        Recent.<Integer>of(Duration.ofMinutes(5)).with(9, NOW).with(4, NOW.plusSeconds(60));
    assertThat(targets.largest(0, NOW.plusSeconds(299))).isEqualTo(9);
    assertThat(targets.largest(0, NOW.plusSeconds(300))).isEqualTo(4);
    assertThat(targets.largest(0, NOW.plusSeconds(360))).isZero();
  }

  @Test
  void aStormDoesNotFillTheMemory() {
    Recent<Integer> recent = Recent.of(Duration.ofMinutes(5));
    for (int i = 0; i < 5000; i++) recent = recent.with(i % 7, NOW.plusMillis(i));
    assertThat(recent.entries()).hasSizeLessThanOrEqualTo(7);
    assertThat(recent.largest(0, NOW.plusMillis(5000))).isEqualTo(6);
  }

  @Test
  void whatWasLargestLaterIsKnownWhenTheLargestIsForgotten() {
    Recent<Integer> recent =
        Recent.<Integer>of(Duration.ofMinutes(5))
            .with(9, NOW)
            .with(3, NOW.plusSeconds(1))
            .with(7, NOW.plusSeconds(2))
            .with(5, NOW.plusSeconds(3));
    assertThat(recent.largest(0, NOW.plusSeconds(300))).isEqualTo(7);
    assertThat(recent.largest(0, NOW.plusSeconds(302))).isEqualTo(5);
  }
}
