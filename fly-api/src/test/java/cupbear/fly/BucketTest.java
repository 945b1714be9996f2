// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import static cupbear.fly.Urgency.ROUTINE;
import static cupbear.fly.Urgency.URGENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Fly's published pace as a value. */
class BucketTest {

  private static final long SECOND = 1_000_000_000L;

  @Test
  void burstOfThreeThenOnePerSecond() {
    Bucket bucket = Bucket.full(Rate.USUAL, 0);
    assertThat(takes(bucket, URGENT, 0)).isEqualTo(3);
    Bucket empty = drained(bucket, URGENT, 0);
    assertThat(takes(empty, URGENT, SECOND - 1)).isZero();
    assertThat(takes(empty, URGENT, SECOND)).isEqualTo(1);
    assertThat(takes(empty, URGENT, 100 * SECOND)).as("never above the burst").isEqualTo(3);
  }

  @Test
  void readingAMachineIsFaster() {
    Bucket bucket = Bucket.full(Rate.GET_MACHINE, 0);
    assertThat(takes(bucket, URGENT, 0)).isEqualTo(10);
    assertThat(takes(drained(bucket, URGENT, 0), URGENT, SECOND)).isEqualTo(5);
  }

  @Test
  void routineCallsLeaveTheLastTokenToAnUrgentOne() {
    Bucket bucket = Bucket.full(Rate.USUAL, 0);
    Bucket left = drained(bucket, ROUTINE, 0);
    assertThat(takes(bucket, ROUTINE, 0)).isEqualTo(2);
    assertThat(takes(left, URGENT, 0)).isEqualTo(1);
    assertThat(takes(left, ROUTINE, SECOND)).as("sustained pace is whole").isEqualTo(1);
  }

  @Test
  void aBurstOfOneHasNothingToKeep() {
    assertThat(takes(Bucket.full(new Rate(1, 1), 0), ROUTINE, 0)).isEqualTo(1);
  }

  @Test
  void readyInTellsTheTruth() {
    Bucket empty = drained(Bucket.full(Rate.USUAL, 0), URGENT, 0);
    Duration wait = empty.readyIn(URGENT, 0);
    assertThat(wait.toMillis()).isEqualTo(1000);
    assertThat(empty.take(URGENT, wait.toNanos())).isPresent();
    assertThat(Bucket.full(Rate.USUAL, 0).readyIn(ROUTINE, 0)).isZero();
  }

  @Test
  void aRefusalEmptiesAndHalves() {
    Bucket refused = Bucket.full(Rate.USUAL, 0).refused(0);
    assertThat(takes(refused, URGENT, 0)).isZero();
    assertThat(refused.pace()).isEqualTo(0.5);
    assertThat(refused.readyIn(URGENT, 0).toMillis()).isEqualTo(2000);
  }

  @Test
  void evenAFastBucketRestsASecondAfterARefusal() {
    Bucket refused = Bucket.full(Rate.GET_MACHINE, 0).refused(0);
    assertThat(refused.readyIn(URGENT, 0).toMillis()).isEqualTo(1000);
  }

  @Test
  void refusalsInARowSlowDownToAnEighthAndNoFurther() {
    Bucket bucket = Bucket.full(Rate.USUAL, 0);
    for (int i = 0; i < 10; i++) {
      bucket = bucket.refused(0);
    }
    assertThat(bucket.pace()).isEqualTo(Bucket.SLOWEST);
  }

  @Test
  void timeBringsThePaceBack() {
    Bucket refused = Bucket.full(Rate.USUAL, 0).refused(0);
    assertThat(refused.isFull(10 * SECOND)).isFalse();
    assertThat(refused.take(URGENT, 15 * SECOND).orElseThrow().pace()).isCloseTo(1.0, within(1e-9));
    assertThat(refused.isFull(15 * SECOND)).isTrue();
  }

  @Test
  void aClockThatStandsStillGivesNothing() {
    Bucket empty = drained(Bucket.full(Rate.USUAL, SECOND), URGENT, SECOND);
    assertThat(takes(empty, URGENT, 0)).isZero();
  }

  private static int takes(Bucket from, Urgency urgency, long now) {
    int count = 0;
    for (var next = from.take(urgency, now); next.isPresent(); count++) {
      next = next.get().take(urgency, now);
    }
    return count;
  }

  private static Bucket drained(Bucket from, Urgency urgency, long now) {
    Bucket bucket = from;
    for (var next = from.take(urgency, now); next.isPresent(); next = bucket.take(urgency, now)) {
      bucket = next.get();
    }
    return bucket;
  }
}
