// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import static cupbear.scheduler.app.House.IAD;
import static cupbear.scheduler.app.House.LHR;
import static cupbear.scheduler.app.House.POOL;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.Region;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What was announced and still counts. */
class HintBookTest {
  private static final Instant NOW = Instant.parse("2026-11-18T12:00:00Z");

  private final HintBook book = new HintBook();

  private static Entry said(String source, Region region, String perMinute, String ms, Instant at) {
    return new Entry(
        "",
        at,
        "signal.taken",
        POOL,
        region,
        null,
        null,
        null,
        "",
        new TreeMap<>(Map.of("source", source, "per_minute", perMinute, "valid_ms", ms)));
  }

  private void say(String source, String perMinute, int seconds, Instant at) {
    assertThat(book.take(said(source, IAD, perMinute, seconds * 1000 + "", at))).isTrue();
  }

  @Test
  void sourcesAddUpAndTheNewestWordOfEachCounts() {
    say("cdn", "60", 60, NOW);
    say("calendar", "30", 120, NOW);
    say("cdn", "120", 60, NOW.plusSeconds(1));
    assertThat(book.of(POOL, IAD, NOW.plusSeconds(1)))
        .contains(new HintBook.Hint(2.5, Duration.ofSeconds(119)));
    assertThat(book.of(POOL, LHR, NOW)).isEmpty();
  }

  @Test
  void whatIsReadBackDoesNotUndoWhatWasHeardMeanwhile() {
    say("cdn", "120", 60, NOW);
    say("cdn", "6", 60, NOW.minusSeconds(30));
    assertThat(book.of(POOL, IAD, NOW)).contains(new HintBook.Hint(2, Duration.ofSeconds(60)));
  }

  @Test
  void wordsEndByThemselves() {
    say("cdn", "60", 60, NOW);
    say("calendar", "60", 120, NOW);
    assertThat(book.of(POOL, IAD, NOW.plusSeconds(60)))
        .contains(new HintBook.Hint(1, Duration.ofSeconds(60)));
    assertThat(book.of(POOL, IAD, NOW.plusSeconds(120))).isEmpty();
  }

  @Test
  void whatCannotBeReadIsNoHint() {
    assertThat(book.take(said("cdn", IAD, "many", "1000", NOW))).isFalse();
    assertThat(book.take(said("cdn", IAD, "1", "", NOW))).isFalse();
    assertThat(book.of(POOL, IAD, NOW)).isEmpty();
  }

  @Test
  void aFloodOfSourcesIsBounded() {
    for (int i = 0; i < 100; i++) say("s" + i, "60", 60, NOW.plusMillis(i));
    assertThat(book.of(POOL, IAD, NOW.plusSeconds(1)))
        .get()
        .satisfies(hint -> assertThat(hint.perSecond()).isEqualTo(32));
  }
}
