// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** An endless row of requests, each wrong in one known way; the same row for the same seed. */
final class BadRequests {
  private static final String GOOD =
      "{\"pool\":\"viewers\",\"region\":[\"iad\"],\"tenant\":\"acme\",\"wait\":\"0s\"}";
  private static final String INVALID = "invalid-request";

  /** What is wrong, what the answer may be called, and whether the connection can go on. */
  enum Fault {
    CUT_JSON(INVALID),
    GARBAGE(INVALID),
    DEEP_JSON(INVALID),
    WRONG_TYPE(INVALID),
    UNKNOWN_FIELD(INVALID),
    BAD_VALUE(INVALID),
    NO_SUCH_POOL(INVALID),
    LARGE_BODY("body-too-large"),
    BAD_TOKEN("unauthorized"),
    NO_KEY("idempotency-key-missing"),
    BAD_KEY(INVALID),
    REUSED_KEY("idempotency-key-reused"),
    NOT_MINE("forbidden"),
    NO_SUCH_SESSION("not-found"),
    NO_SUCH_PATH("not-found"),
    BAD_METHOD("method-not-allowed"),
    BAD_QUERY(INVALID),
    BAD_TYPE("unsupported-media-type"),
    BAD_ACCEPT("not-acceptable"),
    LONG_ADDRESS(true, "uri-too-long"),
    LARGE_HEADERS(true, "headers-too-large"),
    NOT_HTTP(true, INVALID, "uri-too-long", "not-found", "method-not-allowed");

    private final String problems;
    final boolean ends;

    /** What the answer may be called. */
    List<String> problems() {
      return List.of(problems.split(" "));
    }

    Fault(String... problems) {
      this(false, problems);
    }

    Fault(boolean ends, String... problems) {
      this.ends = ends;
      this.problems = String.join(" ", problems);
    }
  }

  /** One of them. */
  record Bad(Fault fault, String text) {
    byte[] bytes() {
      return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    String shown() {
      return text.substring(0, Math.min(600, text.length())).replaceAll("Bearer \\S+", "Bearer …");
    }
  }

  private final Random dice;
  private final String token;
  private final String usedKey;

  BadRequests(long seed, String token, String usedKey) {
    this.dice = new Random(seed);
    this.token = token;
    this.usedKey = usedKey;
  }

  Bad next() {
    Fault fault = pick(Fault.values());
    return new Bad(fault, text(fault));
  }

  @SafeVarargs
  private <T> T pick(T... all) {
    return all[dice.nextInt(all.length)];
  }

  private String text(Fault fault) {
    return switch (fault) {
      case CUT_JSON -> create(GOOD.substring(0, 1 + dice.nextInt(GOOD.length() - 1)));
      case GARBAGE -> create(letters("%&$§\u0000\u00ff[]:,x1", 1 + dice.nextInt(200)));
      case DEEP_JSON -> create("{\"labels\":" + nested(16 + dice.nextInt(2000)) + "}");
      case WRONG_TYPE -> create("{\"pool\":\"viewers\",\"%s\":%s}".formatted(wrongly()));
      case UNKNOWN_FIELD ->
          create("{\"pool\":\"viewers\",\"x%s\":1}".formatted(letters("abc_-.", dice.nextInt(50))));
      case BAD_VALUE -> create("{\"pool\":\"viewers\",\"%s\":\"%s\"}".formatted(oddly()));
      case NO_SUCH_POOL -> create("{\"pool\":\"p" + dice.nextInt(1000) + "\"}");
      case LARGE_BODY -> create("{\"pool\":\"" + "x".repeat(17_000 + dice.nextInt(9000)) + "\"}");
      case BAD_TOKEN -> request("GET", "/v1/pools", "Authorization: " + badToken() + "\r\n", "");
      case NO_KEY -> request("POST", "/v1/sessions", mine() + json(), GOOD);
      case BAD_KEY -> request("POST", "/v1/sessions", mine() + json() + badKey(), GOOD);
      case REUSED_KEY ->
          request(
              "POST",
              "/v1/sessions",
              mine() + json() + "Idempotency-Key: " + usedKey + "\r\n",
              GOOD.replace("acme", "t" + dice.nextInt(1000)));
      case NOT_MINE -> request(pick("GET"), pick("/v1/machines", "/v1/machines/x"), mine(), "");
      case NO_SUCH_SESSION ->
          request(pick("GET", "DELETE"), "/v1/sessions/" + strangeId(), mine(), "");
      case NO_SUCH_PATH -> request(pick("GET", "POST", "PUT"), strangePath(), mine(), "");
      case BAD_METHOD ->
          request(pick("PATCH", "OPTIONS", "HEADS", "DELETE"), "/v1/sessions", mine(), "");
      case BAD_QUERY -> request("GET", "/v1/sessions?" + badQuery(), mine(), "");
      case BAD_TYPE ->
          request(
              "POST",
              "/v1/sessions",
              mine() + key() + "Content-Type: " + pick("text/plain", "a/b", "json", ";") + "\r\n",
              GOOD);
      case BAD_ACCEPT -> {
        String accept = "Accept: " + pick("text/html", "a/b;q=1", "x") + "\r\n";
        yield request("GET", "/v1/pools", mine() + accept, "");
      }
      case LONG_ADDRESS ->
          request("GET", "/v1/pools?x=" + "y".repeat(2100 + dice.nextInt(9000)), mine(), "");
      case LARGE_HEADERS -> {
        String large = "X-A: " + "y".repeat(8300 + dice.nextInt(9000)) + "\r\n";
        yield request("GET", "/v1/pools", mine() + large, "");
      }
      case NOT_HTTP ->
          pick(
              "GET\r\n\r\n",
              "GET /v1/pools\r\n\r\n",
              "\u0016\u0003\u0001 TLS\r\n\r\n",
              "GET /v1/pools HTTP/1.1\r\nBad Header: x\r\n\r\n",
              "GET /v1/pools HTTP/1.1\r\nContent-Length: x\r\n\r\n",
              letters("{}<>!?", 1 + dice.nextInt(60)) + "\r\n\r\n");
    };
  }

  private String create(String body) {
    return request("POST", "/v1/sessions", mine() + json() + key(), body);
  }

  private static String request(String method, String path, String headers, String body) {
    int length = body.getBytes(StandardCharsets.ISO_8859_1).length;
    String content = length == 0 ? "" : "Content-Length: " + length + "\r\n";
    String head = "%s %s HTTP/1.1\r\nHost: a\r\n".formatted(method, path);
    return head + headers + content + "\r\n" + body;
  }

  private String mine() {
    return "Authorization: Bearer " + token + "\r\n";
  }

  private static String json() {
    return "Content-Type: application/json\r\n";
  }

  private String key() {
    return "Idempotency-Key: " + letters("abcdefghij0123456789", 24) + "\r\n";
  }

  private String badKey() {
    return "Idempotency-Key: "
        + pick(
            "short",
            "x".repeat(65),
            "has space has space",
            "\"unclosed0123456789",
            "ümläut0123456789x")
        + "\r\n";
  }

  private String badToken() {
    return pick(
        "",
        "Bearer",
        "Bearer ",
        "Basic dXNlcjpwYXNz",
        "Bearer " + token + "x",
        "Bearer " + token.substring(3),
        "Bearer cb_aaaaaaaaaa_" + letters("abcXYZ019_-", 43),
        "Bearer " + letters("abc", 1000));
  }

  /** A field, and a value of another type. */
  private Object[] wrongly() {
    return pick(
        new Object[] {"region", pick("1", "true", "{}", "[1]", "[null]", "[[]]")},
        new Object[] {"tenant", pick("1", "false", "[]", "{}", "null")},
        new Object[] {"wait", pick("5", "[]", "1e9", "null")},
        new Object[] {"labels", pick("1", "\"x\"", "[]", "{\"a\":1}", "{\"a\":{}}", "null")},
        new Object[] {"client_address", pick("1", "[]", "true", "null")});
  }

  /** A field, and a text that it cannot be. */
  private Object[] oddly() {
    return pick(
        new Object[] {"region", pick("", "IAD", "toolong", "1ad", "mars")},
        new Object[] {"tenant", pick("", "a b", "x".repeat(65), "\\u0000")},
        new Object[] {"wait", pick("", "5", "-1s", "31s", "1d", "999999999h", "1.5s")},
        new Object[] {"client_address", pick("", "localhost", "1.2.3", "::g", "%00", "1.1.1.1.1")});
  }

  private String strangeId() {
    return pick("x", "ses_", "ses_viewers_x", "ses_none_x", "%2e%2e", "a%00b", "x".repeat(300));
  }

  private String strangePath() {
    return pick(
        "/",
        "/v1",
        "/v2/sessions",
        "/v1/sessions/",
        "//v1/sessions",
        "/v1/sessions/a/b",
        "/admin",
        "/v1/../v1/sessions",
        "/v1/%73essions",
        "/v1/sessions;x=1",
        "/.env",
        "/v1/config");
  }

  private String badQuery() {
    return pick(
        "limit=0",
        "limit=501",
        "limit=x",
        "limit=1&limit=2",
        "cursor=%%",
        "cursor=!",
        "state=ended",
        "state=",
        "pool=A",
        "region=1",
        "x=1",
        "%zz=1",
        "limit=99999999999999");
  }

  private String nested(int depth) {
    return "[".repeat(depth) + "]".repeat(depth);
  }

  private String letters(String alphabet, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) text.append(alphabet.charAt(dice.nextInt(alphabet.length())));
    return text.toString();
  }
}
