// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import cupbear.scheduler.cli.operator.PoolDocuments.Place;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of {@code cupbear status}, row by row. */
class StatusTableTest {
  private static final String QUIET =
      """
      {"region":"iad","warm_min":5,"counts":{"warm":5,"coming_up":0,"assigned":11,"draining":1},
       "queue_depth":0,"queue_p95_ms":120,"leader":{"replica":"e2865013b42308"},
       "observed_at":"2026-11-18T09:30:00Z","passed_at":"2026-11-18T09:29:58Z"}
      """;
  private static final String SHORT =
      """
      {"region":"lhr","warm_min":5,"counts":{"warm":3,"coming_up":2,"assigned":4,"draining":0},
       "queue_depth":12,"observed_at":"2026-11-18T09:30:00Z",
       "plan":{"unmet":0,"actions":[{"action":"create","reason":"spike","count":1}]}}
      """;

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (JsonProcessingException wrong) {
      throw new AssertionError(text, wrong);
    }
  }

  private static String print(boolean colour, Place... places) {
    StringWriter out = new StringWriter();
    StatusTable.of(List.of(places)).print(new PrintWriter(out), colour);
    return out.toString();
  }

  @Test
  void numbersStandToTheRightAndTextsToTheLeft() {
    String table = print(false, place("viewers", QUIET), place("viewers", SHORT));
    assertThat(table)
        .isEqualToNormalizingNewlines(
            """
            REGION  FLOOR  WARM  PROVING  CLAIMED  DRAINING  QUEUE    P95  LEADER     AGE  PLAN
            iad         5     5        0       11         1      0  0.12s  e2865013…   2s  -
            lhr         5     3        2        4         0     12      -  nobody       -  \
            create 1 (spike)
            """);
  }

  private static Place place(String pool, String region) {
    return new Place(pool, json(region));
  }

  @Test
  void withSeveralPoolsEachLineNamesItsOwn() {
    assertThat(print(false, place("viewers", QUIET), place("gpu", SHORT)).lines().toList())
        .satisfiesExactly(
            heading -> assertThat(heading).startsWith("POOL     REGION  FLOOR"),
            first -> assertThat(first).startsWith("viewers  iad "),
            second -> assertThat(second).startsWith("gpu      lhr "));
  }

  @Test
  void coloursMarkWhatIsMissingAndDoNotMoveAnything() {
    String plain = print(false, place("viewers", SHORT));
    String coloured = print(true, place("viewers", SHORT));
    assertThat(coloured).contains("\u001b[1;31m3\u001b[0m", "\u001b[33m12\u001b[0m");
    assertThat(coloured.replaceAll("\u001b\\[[0-9;]*m", "")).isEqualTo(plain);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "nothing to do | {} | -",
        "a plan with two steps | {'plan':{'actions':[{'action':'start','reason':'under_target',"
            + "'count':1},{'action':'create','reason':'under_target','count':2}]}} "
            + "| start 1 (under target), create 2 (under target)",
        "what is only written down is left out | {'plan':{'actions':[{'action':'book',"
            + "'reason':'booted','count':2},{'action':'retag','reason':'tag_drift','count':1}]}} "
            + "| -",
        "paused: what it would do | {'paused':true,'plan':{'actions':[{'action':'create',"
            + "'reason':'spike','count':2}]}} | paused, would create 2 (spike)",
        "drained, which is also cordoned | {'draining':true,'cordoned':true} | draining",
        "cordoned | {'cordoned':true} | cordoned",
        "no capacity at Fly | {'plan':{'unmet':3,'actions':[]}} | 3 cannot be had here",
        "an alert | {'findings':[{'finding':'list_collapsed','alert':true}]} | ! list collapsed",
        "a note | {'findings':[{'finding':'foreign_machines','alert':false}]} | -",
      })
  void theLastColumnSaysWhatIsDoneAndWhatIsInTheWay(String row, String region, String plan) {
    assertThat(StatusTable.plan(json(region.replace("'", "\"")))).isEqualTo(plan);
  }

  @Test
  void theSummaryAddsUp() {
    assertThat(StatusTable.summary(List.of(place("viewers", QUIET), place("viewers", SHORT))))
        .isEqualTo("2 regional pools: 8 warm (floor 10), 15 in use, 12 waiting");
  }
}
