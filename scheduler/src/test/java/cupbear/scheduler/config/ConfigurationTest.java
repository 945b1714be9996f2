// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is refused, where, and with which words. */
class ConfigurationTest {
  record Row(String name, String yaml, String problem) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Row line(String name, int line, String text, String problem) {
    return new Row(name, Sample.with(line, text), "cupbear.yaml:" + problem);
  }

  private static Row pool(String name, String lines, String problem) {
    return new Row(name, Sample.inPool(lines), "cupbear.yaml:" + problem);
  }

  private static Row top(String name, String lines, String problem) {
    return new Row(name, Sample.atTop(lines), "cupbear.yaml:" + problem);
  }

  static Stream<Row> values() {
    return Stream.of(
        line(
            "a word outside the set",
            1,
            "environment: production",
            "1:14: environment is production; give one of demo, staging, prod"),
        line(
            "a word nearly inside the set",
            1,
            "environment: prd",
            "1:14: environment is prd; give one of demo, staging, prod; did you mean prod?"),
        line(
            "a required key that is not there",
            2,
            "fly: {app: cupbear-viewer}",
            "2:1: fly.org is missing; give a name of small letters"),
        line(
            "a section that is empty", 2, "fly:", "2:5: fly is empty; give keys below it, such as"),
        line("a section that is a text", 2, "fly: acme", "2:6: fly is acme; give keys below it"),
        line("a section that is a list", 2, "fly: [a]", "2:6: fly is [a]; give keys below it, not"),
        line(
            "a number where an address belongs",
            4,
            "listen: {api: 8080}",
            "4:15: listen.api is 8080; give host:port or [v6]:port"),
        line(
            "two listeners on one address",
            4,
            "listen: {api: \"127.0.0.1:80\", ops: \"127.0.0.1:80\"}",
            "4:36: listen.ops is 127.0.0.1:80; listen.api has it; give another port"));
  }

  static Stream<Row> bounds() {
    return Stream.of(
        line(
            "a version that is a number",
            7,
            "    template: {version: 7, image: viewer}",
            "7:25: pools.viewers.template.version is 7; give a version such as"),
        line(
            "an image that is blank",
            7,
            "    template: {version: \"7\", image: \"\"}",
            "7:37: pools.viewers.template.image is empty; give an image, best by its digest"),
        line(
            "a floor above the ceiling",
            9,
            "      iad: {warm_min: 5, warm_max: 4}",
            "9:23: pools.viewers.regions.iad.warm_min is 5; give no more than warm_max (4)"),
        line(
            "a negative floor",
            9,
            "      iad: {warm_min: -1, warm_max: 4}",
            "9:23: pools.viewers.regions.iad.warm_min is -1; give a whole number from 0"),
        line(
            "half a Machine",
            9,
            "      iad: {warm_min: 1.5, warm_max: 4}",
            "9:23: pools.viewers.regions.iad.warm_min is 1.5; give a whole number"),
        line(
            "a count in quotes",
            9,
            "      iad: {warm_min: \"2\", warm_max: 4}",
            "9:23: pools.viewers.regions.iad.warm_min is \"2\"; give a whole number from 0 to "
                + "10000, without quotes"),
        line(
            "a region without a ceiling",
            9,
            "      iad: {warm_min: 2}",
            "9:7: pools.viewers.regions.iad.warm_max is missing"),
        line(
            "a region that is none",
            9,
            "      Ashburn: {warm_min: 2, warm_max: 4}",
            "9:7: pools.viewers.regions.Ashburn has no good name; give a Fly region code"),
        line(
            "a pool with a bad name",
            6,
            "  My Pool:",
            "6:3: pools.My Pool has no good name; give a pool name"));
  }

  static Stream<Row> pools() {
    return Stream.of(
        pool(
            "a depth that is none",
            "probe: {depth: deep}",
            "11:20: pools.viewers.probe.depth is deep; give one of negotiate, tls, login"),
        pool(
            "a flag in YAML 1.1",
            "probe: {credssp: yes}",
            "11:22: pools.viewers.probe.credssp is yes; give true or false"),
        pool(
            "a label without quotes",
            "labels: {gpu: false}",
            "11:19: pools.viewers.labels.gpu is false; give a text of one line, in quotes"),
        pool(
            "a port beyond all ports",
            "ports: {rdp: 70000}",
            "11:18: pools.viewers.ports.rdp is 70000; give a whole number from 1 to 65535"),
        pool(
            "a budget without a price",
            "budget: {per_hour: 3}",
            "11:24: pools.viewers.budget.machine_per_hour is missing; a budget needs the price"),
        pool(
            "an order with a strange region",
            "placement: {order: {syd: [iad, lhrr]}}",
            "11:30: pools.viewers.placement.order.syd is lhrr; names a region that the pool does "
                + "not have; did you mean lhr?"),
        pool(
            "steps that are no list",
            "teardown: {a: b}",
            "11:15: pools.viewers.teardown is a section; give a list of steps"),
        pool(
            "a step that is a text",
            "teardown: [reboot]",
            "11:16: pools.viewers.teardown.0 is reboot; give keys below it, such as name, run"),
        pool(
            "a step longer than Fly runs one",
            "teardown: [{name: a, run: [b], deadline: 61s}]",
            "11:46: pools.viewers.teardown.0.deadline is 61s; give a duration up to 60s"),
        pool(
            "two steps of one name",
            "teardown: [{name: a, run: [b]}, {name: a, run: [c]}]",
            "11:44: pools.viewers.teardown.1.name is a; another step has this name"),
        pool(
            "a pool's own threshold against the default of another",
            "sessions: {wait_max: 2s}",
            "11:26: pools.viewers.sessions.wait_max is 2s; give no less than sessions.wait_default"
                + " (5s)"));
  }

  static Stream<Row> thresholds() {
    return Stream.of(
        top(
            "a duration without a unit",
            "reconcile: {every: 5}",
            "1:20: reconcile.every is 5; give a duration above 0, such as 500ms"),
        top("a duration of nothing", "reconcile: {every: 0s}", "1:20: reconcile.every is 0s; give"),
        top("a duration of ages", "reconcile: {every: 9999d}", "1:20: reconcile.every is 9999d;"),
        top(
            "a share above all",
            "health: {brake_share: 1.5}",
            "1:23: health.brake_share is 1.5; give a share above 0 and up to 1"),
        top(
            "not a number at all",
            "health: {brake_share: .nan}",
            "1:23: health.brake_share is .nan; give a share"),
        top(
            "waiting longer than allowed",
            "sessions: {wait_default: 40s}",
            "1:26: sessions.wait_default is 40s; give no more than sessions.wait_max (30s)"),
        top(
            "probing more seldom than trusting",
            "health: {guacd_trust: 5s}",
            "1:23: health.guacd_trust is 5s; give more than health.guacd_every (5s)"),
        top(
            "a size without a unit",
            "limits: {body: 16384}",
            "1:16: limits.body is 16384; give a size from 1KiB to 1MiB"),
        top("a size too large", "limits: {body: 2MiB}", "1:16: limits.body is 2MiB; give a size"));
  }

  static Stream<Row> keys() {
    return Stream.of(
        top(
            "a key misspelt",
            "reconcile: {evry: 5s}",
            "1:13: reconcile.evry is not a key; did you mean reconcile.every?"),
        top(
            "a section misspelt",
            "durabilty: strict",
            "1:1: durabilty is not a key; did you mean durability?"),
        top(
            "a key in the wrong place",
            "max_actions: 3",
            "1:1: max_actions is not a key; did you mean reconcile.max_actions?"),
        top("a key like nothing we know", "zebra: 1", "1:1: zebra is not a key; known are"),
        pool(
            "a blank taken literally",
            "regions2: {<region>: 1}",
            "11:5: pools.viewers.regions2 is not a key; did you mean pools.viewers.regions?"),
        line(
            "a key that is there twice",
            9,
            "      iad: {warm_min: 2, warm_max: 4, warm_min: 1}",
            "9:39: pools.viewers.regions.iad.warm_min is there twice, first at "
                + "cupbear.yaml:9:13; keep one"),
        new Row(
            "a pool that is a text",
            "environment: demo\npools: {viewers: x}\n",
            "cupbear.yaml:2:18: pools.viewers is x; give keys below it, such as template"),
        new Row(
            "no pool",
            "environment: demo\npools: {}\n",
            "cupbear.yaml:2:1: pools is empty; declare at least one"),
        line(
            "a pool without regions",
            8,
            "    labels:",
            "6:3: pools.viewers.regions is missing; declare at least one region"));
  }

  static Stream<Row> secrets() {
    return Stream.of(
        top("Fly's token in the file", "fly.token: x", "1:1: fly.token is a secret and must not "),
        line(
            "Fly's token where it seems to belong",
            2,
            "fly: {app: a, org: b, token: hunter2}",
            "2:23: fly.token is a secret and must not lie in a file; put it into "
                + "CUPBEAR_FLY_TOKEN"),
        line(
            "the password of Redis",
            3,
            "redis: {url: \"redis://h\", password: hunter2}",
            "3:27: redis.password is a secret and must not lie in a file; put it into "
                + "CUPBEAR_REDIS_PASSWORD"),
        line(
            "the password inside a URL",
            3,
            "redis: {url: \"redis://:hunter2@h:1\"}",
            "3:14: redis.url is \"redis://***@h:1\"; give redis://HOST:PORT"),
        top(
            "a key of any kind that sounds secret",
            "admin_password: hunter2",
            "1:1: admin_password is not a key, and secrets must not lie in a file"),
        pool("a secret for the viewer", "template2: {}", "11:5: pools.viewers.template2 is not a"),
        line(
            "a viewer's secret",
            7,
            "    template: {version: \"7\", image: i, env: {DB_PASSWORD: hunter2}}",
            "7:59: pools.viewers.template.env.DB_PASSWORD sounds like a secret"),
        line(
            "a token where a name belongs",
            2,
            "fly: {app: fm2_hunter2, org: acme}",
            "2:12: fly.app is ***; give a name"));
  }

  static Stream<Row> syntax() {
    return Stream.of(
        new Row("a brace that stays open", "fly: {app: a\n", "cupbear.yaml:2:1: not YAML: "),
        new Row("a tab as indent", "fly:\n\tapp: a\n", "cupbear.yaml:2:1: not YAML: "),
        new Row("a list", "- a\n", "cupbear.yaml:1:1: not a configuration"),
        new Row("two documents", "a: 1\n---\nb: 2\n", "cupbear.yaml:3:1: a second document"),
        new Row("an alias", "a: &x 1\nb: *x\n", "cupbear.yaml:2:4: an alias (*name); write"),
        new Row("a tag", "a: !!int 3\n", "cupbear.yaml:1:4: a tag (!name); remove it"),
        new Row("a key that is a list", "? [a]\n: b\n", "cupbear.yaml:1:3: a key that is not a "),
        new Row("a tower", "a: " + "[".repeat(60), "cupbear.yaml:1:36: nested deeper than"),
        new Row("a higher tower", "[".repeat(20_000), "cupbear.yaml:1:34: nested deeper than"),
        new Row("nothing", "", "cupbear.yaml:1:1: environment is missing"),
        new Row("only a comment", "# later\n", "cupbear.yaml:1:1: environment is missing"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"values", "bounds", "pools", "thresholds", "keys", "secrets", "syntax"})
  void isRefusedAtItsPlace(Row row) {
    List<String> problems = Sample.problems(row.yaml(), Map.of());
    assertThat(problems).anyMatch(each -> each.startsWith(row.problem()));
    assertThat(problems).noneMatch(each -> each.contains("hunter2"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"values", "bounds", "pools", "thresholds"})
  void oneMistakeIsOneProblem(Row row) {
    assertThat(Sample.problems(row.yaml(), Map.of())).hasSize(1);
  }

  @Test
  void allProblemsComeAtOnceFromTopToBottom() {
    String yaml =
        Sample.with(9, "      iad: {warm_min: 9, warm_max: 4}")
            .replace("environment: demo", "environment: moon")
            .replace("org: acme", "orq: acme");
    List<String> problems = Sample.problems(yaml, Map.of("CUPBEAR_MOON", "1"));
    assertThat(problems)
        .extracting(each -> each.substring(0, each.indexOf(' ')))
        .containsExactly(
            "cupbear.yaml:1:14:",
            "cupbear.yaml:2:1:",
            "cupbear.yaml:2:28:",
            "cupbear.yaml:9:23:",
            "CUPBEAR_MOON:");
  }

  @Test
  void whatIsGoodBecomesSettings() {
    Settings settings = Sample.good(Sample.GOOD).settings();
    assertThat(settings.environment()).isEqualTo(Settings.Environment.DEMO);
    assertThat(settings.tags())
        .containsOnly(Map.entry("app", "cupbear-viewer"), Map.entry("managed_by", "cupbear/demo"));
    assertThat(settings.tokenFile()).isEqualTo(Path.of("etc", "tokens.json"));
    assertThat(settings.pools().keySet()).extracting(Object::toString).containsExactly("viewers");
  }

  @Test
  void aMissingFileIsAProblemAndNotAnException(@TempDir Path folder) {
    assertThat(Configuration.load(folder.resolve("none.yaml"), Map.of()))
        .isInstanceOfSatisfying(
            Configuration.Invalid.class,
            invalid ->
                assertThat(invalid.problems().getFirst().toString())
                    .endsWith("none.yaml:1:1: there is no such file"));
  }

  @Test
  void aFolderALatinTextAndAHugeFileAreProblemsToo(@TempDir Path folder) throws IOException {
    Path latin = Files.write(folder.resolve("latin.yaml"), new byte[] {'a', ':', ' ', (byte) 0xe9});
    Path huge = Files.write(folder.resolve("huge.yaml"), new byte[2 << 20]);
    for (Path each : List.of(folder, latin, huge)) {
      assertThat(Configuration.load(each, Map.of())).isInstanceOf(Configuration.Invalid.class);
    }
  }

  @Test
  void theFileOnDiskReadsLikeTheText(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("cupbear.yaml"), Sample.GOOD);
    assertThat(Configuration.load(file, Map.of()))
        .isInstanceOfSatisfying(
            Configuration.Valid.class,
            valid ->
                assertThat(valid.settings().tokenFile())
                    .isEqualTo(folder.toAbsolutePath().resolve("tokens.json")));
  }
}
