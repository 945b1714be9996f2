// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.cli.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several replicas, broken streams, and answers that nobody expects. */
@Timeout(60)
class OddServersIT {
  private static final String POOLS =
      """
      {"pools":[{"name":"viewers","regions":[
        {"region":"iad","warm_min":1,"counts":{"warm":1},"leader":{"replica":"a"}%s},
        {"region":"lhr","warm_min":1,"counts":{"warm":1},"leader":{"replica":"b"}%s}]}]}
      """;
  private static final String PASSED =
      ",\"observed_at\":\"2026-11-18T09:00:07Z\",\"passed_at\":\"2026-11-18T09:00:04Z\"";
  private static final String PLAN =
      """
      {"pool":"viewers","region":"%s","at":"2026-11-18T09:00:00Z","target":{"why":"floor"},
       "counts":{},"actions":[],"findings":[],"unmet":0,"partial":false}
      """;

  private final Shell shell = new Shell();

  @BeforeEach
  void token() {
    shell.environment.put("CUPBEAR_TOKEN", "cb_test_secret");
  }

  private Shell.Ran run(List<FakeApi> apis, String words) {
    shell.environment.put(
        "CUPBEAR_API", String.join(",", apis.stream().map(FakeApi::url).toList()));
    return shell.run(words.split(" "));
  }

  @Test
  void whatOnlyALeaderKnowsIsAskedOfTheOtherReplicas() {
    try (FakeApi a = new FakeApi().json(POOLS.formatted(PASSED, ""));
        FakeApi b = new FakeApi().json(POOLS.formatted("", PASSED))) {
      Shell.Ran ran = run(List.of(a, b), "status");
      assertThat(ran.out()).containsPattern("iad .* 3s  -").containsPattern("lhr .* 3s  -");
      assertThat(b.asked).hasSize(1);
    }
  }

  @Test
  void plansOfSeveralReplicasBecomeOneAnswer() {
    try (FakeApi a =
            new FakeApi()
                .json(
                    "{\"plans\":[%s],\"elsewhere\":[{\"region\":\"lhr\",\"replica\":\"b\"}]}"
                        .formatted(PLAN.formatted("iad")));
        FakeApi b = new FakeApi().json("{\"plans\":[%s]}".formatted(PLAN.formatted("lhr")))) {
      Shell.Ran ran = run(List.of(a, b), "plan viewers");
      assertThat(ran.exit()).isEqualTo(ExitCode.OK);
      assertThat(ran.out())
          .contains("viewers in iad at", "viewers in lhr at")
          .doesNotContain("its plan is with");
    }
  }

  @Test
  void everyReplicaReloads() {
    String same = "{\"at\":\"2026-11-18T09:00:00Z\",\"changed\":[\"x\"],\"needs_restart\":[]}";
    try (FakeApi a = new FakeApi().json(same);
        FakeApi b = new FakeApi().json(same)) {
      Shell.Ran ran = run(List.of(a, b), "reload");
      assertThat(ran.out().lines())
          .containsExactly(a.url() + ": in force: x", b.url() + ": in force: x");
      assertThat(run(List.of(a, b), "reload -o json").out()).startsWith("[");
    }
  }

  private static String event(int n) {
    String data = "{\"type\":\"machine.proven\",\"machine\":\"m%d\"}".formatted(n);
    return "id: %d-0\nevent: machine.proven\ndata: %s\n\n".formatted(n, data);
  }

  @Test
  void aStreamThatBreaksIsResumedFromTheLastEventSeen() {
    String stream = "text/event-stream";
    try (FakeApi api =
        new FakeApi()
            .then(200, stream, "retry: 1\n\n" + event(1) + event(2))
            .then(503, "application/problem+json", "{\"type\":\"/problems/shutting-down\"}")
            .then(200, stream, "retry: 1\n\n:\n\n" + event(3))
            .then(200, stream, "retry: 1\n\nevent: overrun\ndata: {\"detail\":\"too slow\"}\n\n")
            .then(200, stream, event(4))) {
      Shell.Ran ran = run(List.of(api), "events --follow -n 4");
      assertThat(ran.exit()).isEqualTo(ExitCode.OK);
      assertThat(ran.out().lines().map(line -> line.replaceAll(".* ", "")))
          .containsExactly("m1", "m2", "m3", "m4");
      assertThat(api.asked)
          .containsExactly(
              "GET /v1/events",
              "GET /v1/events after 2-0",
              "GET /v1/events after 2-0",
              "GET /v1/events after 3-0",
              "GET /v1/events after 3-0");
      assertThat(ran.err()).contains("going on from where it was", "(too slow)");
    }
  }

  @Test
  void aResumedStreamThatIsRefusedForGoodEnds() {
    try (FakeApi api =
        new FakeApi()
            .then(200, "text/event-stream", "retry: 1\n\n" + event(1))
            .then(401, "application/problem+json", "{\"type\":\"/problems/unauthorized\"}")) {
      assertThat(run(List.of(api), "events --follow").exit()).isEqualTo(ExitCode.NOT_AUTHORISED);
    }
  }

  @Test
  void aServerThatIsNoSchedulerIsCalledThat() {
    try (FakeApi api =
        new FakeApi().then(502, "text/html", "<h1>").then(200, "text/html", "<h1>Hello</h1>")) {
      Shell.Ran bad = run(List.of(api), "status");
      assertThat(bad.exit()).isEqualTo(ExitCode.FAILED);
      assertThat(bad.err()).contains("HTTP 502 without an explanation", "--api");
      Shell.Ran other = run(List.of(api), "status");
      assertThat(other.exit()).isEqualTo(ExitCode.FAILED);
      assertThat(other.err()).contains("not JSON: <h1>Hello</h1>");
    }
  }

  @Test
  void aWrongAddressExitsFive() throws IOException {
    shell.environment.put("CUPBEAR_API", "http://127.0.0.1:" + closedPort());
    for (String words : Shell.ALL) {
      Shell.Ran alone = shell.run(words.split(" "));
      assertThat(alone.exit()).as(words).isEqualTo(ExitCode.UNREACHABLE);
      assertThat(alone.err())
          .as(words)
          .contains("cannot reach a scheduler at http://127.0.0.1:", "CUPBEAR_API");
    }
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Test
  void whereOneReplicaIsDownTheNextIsAsked() throws IOException {
    try (FakeApi api = new FakeApi().json(POOLS.formatted(PASSED, PASSED))) {
      shell.environment.put("CUPBEAR_API", "http://127.0.0.1:" + closedPort() + "," + api.url());
      Shell.Ran ran = shell.run("status");
      assertThat(ran.exit()).isEqualTo(ExitCode.OK);
      assertThat(ran.out()).contains("iad");
    }
  }

  @Test
  void aStoreThatIsAwayPassesWhileOneWaits() {
    String away =
        "{\"type\":\"/problems/store-unavailable\",\"detail\":\"Redis is away.\","
            + "\"trace_id\":\"ab\"}";
    try (FakeApi api =
        new FakeApi()
            .then(503, "application/problem+json", away)
            .json(POOLS.formatted(PASSED, PASSED))) {
      assertThat(run(List.of(api), "wait --for warm=2 --timeout 30s").exit())
          .isEqualTo(ExitCode.OK);
    }
    try (FakeApi api = new FakeApi().then(503, "application/problem+json", away)) {
      Shell.Ran late = run(List.of(api), "wait --for warm=2 --timeout 0s");
      assertThat(late.exit()).isEqualTo(ExitCode.FAILED);
      assertThat(late.err())
          .startsWith("cupbear wait: Redis is away. (store-unavailable, trace ab)")
          .contains("its Redis is not");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "status --api ftp://here, is not the address of an API",
    "status --api http://me:secret@here, is not the address of an API",
    "status --pool Big_Pool, it must match",
    "status --region Ohio, it must match",
    "events --count 0, give a number above 0",
    "wait --for warm=1 --timeout soon, give a duration",
  })
  void wrongUsageExitsTwoAndSaysWhy(String words, String why) {
    Shell.Ran ran = shell.run(words.split(" "));
    assertThat(ran.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(ran.err()).contains(why);
  }
}
