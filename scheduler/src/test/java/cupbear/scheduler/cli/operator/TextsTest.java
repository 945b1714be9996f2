// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How things are said, and how they are read. */
class TextsTest {
  private static final Instant NOW = Instant.parse("2026-11-18T09:30:00Z");

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException wrong) {
      throw new AssertionError(text, wrong);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0s",
    "PT-3S, 0s",
    "PT119S, 119s",
    "PT2M, 2m",
    "PT119M, 119m",
    "PT3H12M, 3h12m",
    "PT47H59M, 47h59m",
    "PT52H, 2d4h"
  })
  void agesHaveTheUnitsThatPeopleRead(Duration age, String shown) {
    assertThat(Human.age(age)).isEqualTo(shown);
  }

  @Test
  void timesThatAreNoneAreShownAsTheyAre() {
    assertThat(Human.age("", NOW)).isEqualTo("-");
    assertThat(Human.age("2026-11-18T09:29:18Z", NOW)).isEqualTo("42s");
    assertThat(Human.moment("2026-11-18T09:29:18.123Z")).isEqualTo("2026-11-18 09:29:18Z");
    assertThat(Human.moment("yes\u001b[2J")).isEqualTo("yes·[2J");
  }

  @Test
  void whatAMachineSaysCannotTouchTheTerminal() {
    JsonNode machine =
        json(
            "{'id':'m1','pool':'viewers','region':'iad','state':'warm','since':'','story':["
                + "{'at':'2026-11-18T09:00:00Z','kind':'outcome','what':'teardown',"
                + "'because':'it said \\u001b[2J\\u202e\\r\\nall is well'}]}");
    StringWriter out = new StringWriter();
    Story.print(new PrintWriter(out), machine, NOW, false);
    assertThat(out.toString())
        .contains("it said ·[2J···all is well")
        .doesNotContain("\u001b", "\u202e", "\r\na");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "401 | {'type':'/problems/unauthorized','detail':'No.','trace_id':'ab'} | 4"
            + " | No. (unauthorized, trace ab) | token create",
        "403 | {'type':'/problems/forbidden','detail':'No.','trace_id':'ab'} | 4"
            + " | No. (forbidden, trace ab) | operator or admin",
        "400 | {'type':'/problems/invalid-request','detail':'2 fields are wrong.','trace_id':'ab',"
            + "'errors':[{'field':'a','why':'is odd'},{'field':'b','why':'is even'}]} | 2"
            + " | a: is odd; b: is even (invalid-request, trace ab)"
            + " | GET /problems/invalid-request",
        "429 | {'type':'/problems/rate-limited','detail':'Slow.','trace_id':'ab',"
            + "'retry_after_seconds':7} | 1 | Slow. (rate-limited, trace ab) | again in 7 s",
        "500 | {} | 1 | HTTP 500 without an explanation | --api",
      })
  void aProblemIsOneLineAndWhatToDoNext(
      int status, String problem, int exit, String what, String advice) {
    ApiTrouble.Refused refused = ApiTrouble.Refused.of(status, json(problem));
    assertThat(refused.exitCode()).isEqualTo(exit);
    assertThat(refused.what()).isEqualTo(what);
    assertThat(refused.advice()).contains(advice);
  }

  @ParameterizedTest(name = "{0} over {1} warm with floors of 2: {2}")
  @CsvSource({
    "warm=3, '2,1', true",
    "warm=4, '2,1', false",
    "warm=floor, '2,2', true",
    "warm=floor, '9,1', false",
    "queue=0, '1,1', false",
    "queue=2, '1,1', true",
    "assigned=0, '1,1', true",
  })
  void conditionsAreJudgedOverAllThatIsLookedAt(String text, String warm, boolean met) {
    List<PoolDocuments.Place> places = new ArrayList<>();
    for (String each : warm.split(",")) {
      String region =
          "{'region':'iad','warm_min':2,'queue_depth':1,'counts':{'warm':%s}}".formatted(each);
      places.add(new PoolDocuments.Place("viewers", json(region)));
    }
    assertThat(Condition.read(text).orElseThrow().isMet(places)).isEqualTo(met);
  }

  @ParameterizedTest
  @CsvSource({"warm", "warm=", "warm=-1", "queue=floor", "tea=1", "' warm=1'", "warm=9999999"})
  void whatIsNoConditionIsNotGuessedAt(String text) {
    assertThat(Condition.read(text)).isEmpty();
  }

  @Test
  void eventsAreReadAsTheStandardWritesThem() {
    String stream =
        "retry: 12\n\nid: 1-0\nevent: a.b\ndata: {\ndata: }\n\n: now\n\nid:2-0\ndata:x\n\nodd\n"
            + "id: 3-0\ndata: never ended";
    try (ServerEvents events =
        new ServerEvents(new ByteArrayInputStream(stream.getBytes(StandardCharsets.UTF_8)))) {
      List<ServerEvents.@Nullable Item> items = new ArrayList<>();
      for (int i = 0; i < 4; i++) items.add(events.next());
      assertThat(items)
          .containsExactly(
              new ServerEvents.Event("1-0", "a.b", "{\n}"),
              new ServerEvents.Comment("now"),
              new ServerEvents.Event("2-0", "", "x"),
              null);
      assertThat(events.retryMillis()).isEqualTo(12);
    }
  }

  @Test
  void oneEventIsOneLine() {
    JsonNode event =
        json(
            "{'at':'2026-11-18T09:12:00Z','type':'session.lost','region':'iad','machine':'m1',"
                + "'session':'ses_1','reason':'exited','detail':'it\\nexited'}");
    assertThat(EventsCommand.line(event))
        .isEqualTo(
            "2026-11-18 09:12:00Z  iad   session.lost           m1              "
                + "ses_1; exited; it·exited");
  }
}
