// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bad bodies, by row: what is wrong, where, and what the caller is told. */
class BodiesTest {
  private final Bodies bodies = new Bodies(16);

  /** A row may leave out what is good: {@code +} is a pool, {@code ~} a pool and a source. */
  private static byte[] bytes(String row) {
    String text = row;
    if (row.startsWith("+")) text = "{\"pool\":\"a\"," + row.substring(1) + "}";
    if (row.startsWith("~")) {
      text = "{\"source\":\"a\",\"pool\":\"a\"," + row.substring(1) + "}";
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String told(Parsed<?> parsed) {
    if (!(parsed instanceof Parsed.Bad<?> bad)) return "good";
    return bad.errors().stream()
        .map(each -> each.field() + ": " + each.why())
        .collect(Collectors.joining("; "));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          nothing | `` | body: is empty
          not JSON | {pool | body: is not JSON (line 1
          half of it | {"pool":"viewers" | body: is not JSON (line 1
          a list | ["viewers"] | body: is not a JSON object
          two of them | {"pool":"viewers"} {} | body: goes on after the JSON
          a name twice | +"pool":"b" | pool: is there twice
          too deep | {"a":[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]} | body: is nested deeper than 16
          no pool | {} | pool: is missing
          null pool | {"pool":null} | pool: is null; leave it out
          a number as pool | {"pool":7} | pool: must be a text
          a bad pool | {"pool":"Viewers!"} | pool: must be the name of a pool
          an unknown field | +"wiat":"5s" | wiat: is not known here; there is
          a bad region | +"region":"IAD" | region: must be a region code
          no regions | +"region":[] | region: must name 1 to 16
          a region twice | +"region":["iad","iad"] | region: names a region twice
          null among regions | +"region":[null] | region: has a null in it
          object as region | +"region":{} | region: must be a text
          wait without unit | +"wait":"5" | wait: must be a number and a unit
          wait as a number | +"wait":5 | wait: must be a text
          negative wait | +"wait":"-5s" | wait: must be a number and a unit
          a name as address | +"client_address":"evil.example" | client_address: must be an IP
          an odd IPv4 | +"client_address":"1.2.3.999" | client_address: must be an IP
          half an IPv4 | +"client_address":"1.2.3" | client_address: must be an IP
          an odd IPv6 | +"client_address":"::1::" | client_address: must be an IP
          a zone | +"client_address":"fe80::1%eth0" | client_address: must be an IP
          a bad tenant | +"tenant":"a b" | tenant: must be 1 to 64
          labels as a list | +"labels":[] | labels: must be an object of texts
          a label of a number | +"labels":{"gpu":1} | labels.gpu: must be a text
          a bad label name | +"labels":{"GPU":"x"} | labels.GPU: must be named
          """)
  void aBadSessionRequestNamesTheFieldAndTheReason(String row, String body, String expected) {
    assertThat(told(bodies.session(bytes(body)))).as(row).startsWith(expected);
  }

  @Test
  void allThatIsWrongIsSaidAtOnce() {
    String body =
        "{\"pool\":1,\"region\":\"\",\"wait\":true,\"labels\":{\"A\":\"\",\"b\":2},\"x\":0}";
    assertThat(told(bodies.session(bytes(body))))
        .contains("pool:", "region:", "wait:", "labels.A:", "labels.b:", "x: is not known");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          no epoch | {} | epoch: is missing
          a text | {"epoch":"812"} | epoch: must be a whole number
          a fraction | {"epoch":1.5} | epoch: must be a whole number
          negative | {"epoch":-1} | epoch: must be a whole number
          too large | {"epoch":9223372036854775808} | epoch: must be a whole number
          far too large | {"epoch":1e99999} | epoch: must be a whole number
          a long number | {"epoch":11111111111111111111111111111111111111111} | body: is not JSON
          a bad receipt | {"epoch":1,"receipt":"a b"} | receipt: must be a receipt
          """)
  void aBadRenewalNamesTheFieldAndTheReason(String row, String body, String expected) {
    assertThat(told(bodies.renewal(bytes(body)))).as(row).startsWith(expected);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          no reason | {"epoch":1} | reason: is missing
          an empty reason | {"epoch":1,"reason":" "} | reason: must have 1 to 200
          replace as text | {"epoch":1,"reason":"x","replace":"yes"} | replace: must be true
          """)
  void aBadFailureNamesTheFieldAndTheReason(String row, String body, String expected) {
    assertThat(told(bodies.failure(bytes(body)))).as(row).startsWith(expected);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          nothing said | {} | arrivals_per_minute: is missing
          a rate of 0 | ~"arrivals_per_minute":0 | _minute: must be a number above 0
          endless | ~"arrivals_per_minute":1e999 | _minute: must be a number above 0
          a text | ~"arrivals_per_minute":"1" | _minute: must be a number above 0
          too long | ~"arrivals_per_minute":1,"valid_for":"16m" | valid_for: is 16m; give
          a bad source | {"source":"A B"} | source: must be 1 to 32
          """)
  void aBadSignalNamesTheFieldAndTheReason(String row, String body, String expected) {
    assertThat(told(bodies.signal(bytes(body)))).as(row).contains(expected);
  }

  @Test
  void bytesThatAreNotUtf8AreNoText() {
    byte[] body = {'{', '"', (byte) 0xc3, '"', ':', '1', '}'};
    assertThat(told(bodies.session(body))).isEqualTo("body: is not UTF-8");
    byte[] wide = "{\"pool\":\"a\"}".getBytes(StandardCharsets.UTF_16);
    assertThat(told(bodies.session(wide))).isEqualTo("body: is not UTF-8");
  }

  @Test
  void whatIsShownOfAStrangersNameIsShortAndPlain() {
    String name = "\\u001b[31m\\r\\n" + "x".repeat(500);
    String told = told(bodies.session(bytes("{\"pool\":\"a\",\"" + name + "\":1}")));
    assertThat(told).matches("[\\x20-\\x7e]*").hasSizeLessThan(300);
  }

  @Test
  void theFingerprintFollowsTheMeaningAndNotTheLetters() {
    String one = "{\"pool\":\"a\",\"region\":\"iad\",\"labels\":{\"x\":\"1\",\"y\":\"2\"}}";
    String same =
        " { \"labels\" : {\"y\":\"2\", \"x\":\"\\u0031\"}, \"region\":[\"iad\"], \"pool\":\"a\" }";
    String other = "{\"pool\":\"a\",\"region\":\"iad\",\"labels\":{\"x\":\"1\",\"y\":\"3\"}}";
    assertThat(fingerprint(one)).isEqualTo(fingerprint(same)).isNotEqualTo(fingerprint(other));
  }

  private String fingerprint(String body) {
    return bodies.session(bytes(body)) instanceof Parsed.Good<Bodies.SessionAsk> good
        ? good.value().fingerprint()
        : "bad";
  }
}
