// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import cupbear.scheduler.api.OperatorHouse;
import cupbear.scheduler.app.Boards;
import cupbear.scheduler.cli.ExitCode;
import cupbear.scheduler.config.CurrentSettings.Outcome;
import cupbear.scheduler.config.Origin;
import cupbear.scheduler.config.Problem;
import cupbear.scheduler.config.Reload;
import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.Counts;
import cupbear.scheduler.model.EntryKind;
import cupbear.scheduler.model.Keep;
import cupbear.scheduler.model.Plan;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Reason;
import cupbear.scheduler.model.Target;
import cupbear.scheduler.model.TemplateVersion;
import cupbear.scheduler.model.Why;
import cupbear.scheduler.security.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every command of operators against a real server: what it shows, does, and exits with. */
@Timeout(60)
class OperatorCommandsIT {
  private static final PoolName POOL = new PoolName("viewers");
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;
  private final Shell shell = new Shell();
  private OperatorHouse house;

  @BeforeEach
  void open() {
    house = new OperatorHouse(folder);
    shell.environment.put("CUPBEAR_API", house.url());
    shell.environment.put("CUPBEAR_TOKEN", house.token(Role.OPERATOR));
  }

  @AfterEach
  void close() {
    house.close();
  }

  private Shell.Ran run(String words) {
    return shell.run(words.split(" "));
  }

  private Shell.Ran good(String words) {
    Shell.Ran ran = run(words);
    assertThat(ran.exit()).as(words + "\n" + ran.out() + ran.err()).isEqualTo(ExitCode.OK);
    return ran;
  }

  private JsonNode json(String words) throws IOException {
    return JSON.readTree(good(words + " -o json").out());
  }

  private void planned(OperatorHouse where, String region) {
    Why why = new Why(Reason.UNDER_TARGET, "1 warm of 2 wanted");
    Plan plan =
        new Plan(
            new Target(2, 2, 4, false, "warm_min 2; no evidence asks for more"),
            new Counts(1, 0, 0, 0, 0, 0, 0),
            List.of(
                new Action.Create("viewers-lhr-7-1", new TemplateVersion("7"), Keep.ALWAYS, why)),
            List.of(),
            0,
            false);
    Boards.passed(where.board(), POOL, region, Instant.now(), plan);
  }

  // ---- looking

  @Test
  void statusIsATableWithThePlanInItsLastColumn() {
    house.warm("iad", "m1", "m2", "m3");
    house.warm("lhr", "m4");
    house.session("iad");
    planned(house, "lhr");
    Shell.Ran ran = good("status");
    assertThat(ran.out().lines())
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .isEqualTo(
                        "REGION  FLOOR  WARM  PROVING  CLAIMED  DRAINING  QUEUE    P95  LEADER"
                            + "  AGE  PLAN"),
            line ->
                assertThat(line)
                    .matches(
                        "iad         2     2        0        1         0      0"
                            + "  0\\.0\\ds  a         -  -"),
            line ->
                assertThat(line)
                    .matches(
                        "lhr         2     1        0        0         0      0      -"
                            + "  a        [01]s  create 1 \\(under target\\)"));
    assertThat(ran.err())
        .isEqualToIgnoringNewLines("2 regional pools: 3 warm (floor 4), 1 in use, 0 waiting");
  }

  @Test
  void statusForProgramsIsTheDocumentOfTheApi() throws IOException {
    house.warm("iad", "m1");
    JsonNode status = json("status --region iad");
    assertThat(status.at("/pools/0/name").asText()).isEqualTo("viewers");
    assertThat(status.at("/pools/0/regions")).hasSize(1);
    assertThat(status.at("/pools/0/regions/0/counts/warm").asInt()).isOne();
    assertThat(run("status --region nrt").exit()).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void aPlanHasItsReasonsAndSaysWhereOthersAre() throws IOException {
    planned(house, "iad");
    assertThat(good("plan").out())
        .contains("viewers in iad at ", "target   warm_min 2", "counted  1 warm, 0 coming up")
        .containsPattern("ACTION +ON +REASON +BECAUSE")
        .containsPattern("create +viewers-lhr-7-1 +under_target +1 warm of 2 wanted")
        .contains("lhr: its plan is with replica a; name that one's address in --api");
    assertThat(json("plan viewers iad").at("/plans/0/actions/0/action").asText())
        .isEqualTo("create");
    assertThat(json("plan viewers --region iad").has("elsewhere")).isFalse();
    Shell.Ran none = run("plan none");
    assertThat(none.exit()).isEqualTo(ExitCode.FAILED);
    assertThat(none.err()).contains("not-found", "See what there is with");
  }

  @Test
  void machinesAreListedAndFiltered() throws IOException {
    house.warm("iad", "m1", "m2");
    house.warm("lhr", "m3");
    String session = house.session("lhr");
    assertThat(good("machines").out().lines())
        .hasSize(4)
        .first()
        .asString()
        .startsWith("ID  STATE     REGION  HEALTH  AGE  SESSION");
    assertThat(good("machines --region lhr").out()).contains("m3  assigned", session, "proven");
    assertThat(good("machines --state warm -q").out().lines()).containsExactly("m1", "m2");
    assertThat(json("machines --pool viewers").path("machines")).hasSize(3);
    assertThat(good("machines --state parked").err()).contains("There are no such Machines.");
    Shell.Ran wrong = run("machines --state odd");
    assertThat(wrong.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(wrong.err()).contains("state: must be one of", "invalid-request");
  }

  @Test
  void aMachineTellsItsWholeStory() throws IOException {
    house.warm("iad", "m1");
    house.write(EntryKind.PROBE_FAILED, "m1", Map.of("strike", "1 of 3"));
    house.write(EntryKind.ACTION_DOUBT, "m1", Map.of("reason", "unproven", "outcome", "done"));
    run("cordon m1 --reason noises");
    String story = good("machines show m1").out();
    assertThat(story)
        .contains("m1  viewers-m1", "pool     viewers in iad, template 7, keep always")
        .containsPattern("state    warm for \\ds, cordoned")
        .containsPattern("state    enrolled +- +Fly accepted its creation")
        .containsPattern("probe    failed +- +as the test says; 1 of 3")
        .containsPattern("outcome  doubt +unproven +as the test says; done")
        .containsPattern("act      cordon +- +noises; by token ");
    assertThat(json("machines show m1").path("story").size()).isGreaterThan(5);
    house.forget("m1");
    assertThat(good("machines show m1").out()).contains("state    gone for ", "forgotten");
    Shell.Ran none = run("machines show m9");
    assertThat(none.exit()).isEqualTo(ExitCode.FAILED);
    assertThat(none.err()).startsWith("cupbear machines show: ").contains("not-found");
    assertThat(run("machines show ../pools").exit()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void sessionsAreListedWithTheirMachines() throws IOException {
    house.warm("iad", "m1");
    String session = house.session("iad");
    assertThat(good("sessions").out())
        .containsPattern("ID +STATE +REGION +MACHINE +AGE +QUEUED +LEASE +TENANT")
        .containsPattern(session + " +granted +iad +m1 +\\ds +0\\.\\d\\ds +\\d+s +acme");
    assertThat(good("sessions -q").out().strip()).isEqualTo(session);
    assertThat(json("sessions --state granted").at("/sessions/0/id").asText()).isEqualTo(session);
    assertThat(good("sessions --region lhr").err()).contains("no such sessions");
  }

  // ---- steering

  @Test
  void aMachineIsCordonedUncordonedAndDrained() throws IOException {
    house.warm("iad", "m1");
    assertThat(good("cordon m1 --dry-run").out())
        .isEqualToIgnoringNewLines("would cordon Machine m1");
    assertThat(house.get("/v1/machines/m1").getBoolean("cordoned")).isFalse();
    assertThat(good("cordon m1").out()).isEqualToIgnoringNewLines("cordon: done to Machine m1");
    assertThat(house.get("/v1/machines/m1").getBoolean("cordoned")).isTrue();
    assertThat(good("cordon m1").out()).contains("it was so already");
    good("uncordon m1");
    assertThat(house.get("/v1/machines/m1").getBoolean("cordoned")).isFalse();
    assertThat(json("drain m1").path("applied").asBoolean()).isTrue();
    assertThat(house.get("/v1/machines/m1").getBoolean("leaving")).isTrue();
    assertThat(run("drain m9").exit()).isEqualTo(ExitCode.FAILED);
  }

  private boolean isDraining() {
    return house
        .get("/v1/pools/viewers")
        .getJsonArray("regions")
        .encode()
        .contains("\"draining\":true");
  }

  @Test
  void drainingARegionIsAskedAboutFirst() {
    house.warm("iad", "m1", "m2");
    Shell.Ran nobody = run("drain iad");
    assertThat(nobody.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(nobody.err()).contains("needs --yes", "--dry-run");
    shell.typed = "n";
    assertThat(run("drain iad").exit()).isEqualTo(ExitCode.FAILED);
    assertThat(shell.asked)
        .containsExactly("Drain iad of viewers: 2 Machines will leave. Go on? [y/N] ");
    assertThat(isDraining()).isFalse();
    shell.typed = "y";
    assertThat(good("drain iad").out()).contains("done to iad of viewers; 2 Machines: m1 m2");
    assertThat(isDraining()).isTrue();
    good("uncordon iad");
    assertThat(isDraining()).isFalse();
    shell.typed = null;
    assertThat(good("drain iad --dry-run").out()).startsWith("would drain iad of viewers; 2 M");
    good("drain iad --yes --pool viewers");
    assertThat(isDraining()).isTrue();
  }

  @Test
  void aRegionIsPausedAndResumed() {
    good("pause lhr --reason lunch");
    assertThat(good("status --region lhr").out()).contains("paused");
    good("resume lhr");
    assertThat(good("status --region lhr").out()).doesNotContain("paused");
    Shell.Ran unknown = run("pause nrt");
    assertThat(unknown.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(unknown.err()).contains("there are: iad of viewers, lhr of viewers");
    Shell.Ran wordy = shell.run("pause", "lhr", "--reason", "x".repeat(300));
    assertThat(wordy.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(wordy.err()).contains("reason: ", "invalid-request");
  }

  @Test
  void aReloadSaysWhatCameOfIt() {
    assertThat(good("reload").out()).contains("nothing has changed");
    Reload.Change change = new Reload.Change("pools.viewers.regions.iad.warm_min", "2", "3");
    house.reloadsTo(new Outcome.Swapped(List.of(change)));
    assertThat(good("reload").out()).contains("in force: pools.viewers.regions.iad.warm_min");
    house.reloadsTo(new Outcome.NeedsRestart(List.of(change)));
    Shell.Ran restart = run("reload");
    assertThat(restart.exit()).isEqualTo(ExitCode.FAILED);
    assertThat(restart.out()).contains("nothing was taken over");
    house.reloadsTo(
        new Outcome.Refused(
            List.of(
                new Problem(
                    new Origin.InFile("cupbear.yaml", 14, 3), "warm_max", "1", "is low", null))));
    Shell.Ran refused = run("reload");
    assertThat(refused.exit()).isEqualTo(ExitCode.FAILED);
    assertThat(refused.err()).contains("warm_max: ", "cupbear.yaml:14", "cupbear config check");
  }

  // ---- watching

  @Test
  void eventsEndWhereNowIsAndFollowingGoesOn() throws IOException {
    house.warm("iad", "m1");
    Shell.Ran past = good("events --topic machine");
    assertThat(past.out().lines()).hasSize(4);
    assertThat(past.out()).containsPattern("Z  iad   machine\\.proven +m1 +its probes are healthy");
    assertThat(good("events --region lhr --topic machine").out()).isEmpty();
    List<String> all = good("events --topic machine -o json").out().lines().toList();
    assertThat(all).allSatisfy(line -> assertThat(JSON.readTree(line).has("type")).isTrue());
    assertThat(good("events --topic machine -n 2 --since 1h -o json").out().lines())
        .as("the newest two")
        .containsExactlyElementsOf(all.subList(2, 4));
    CompletableFuture<Shell.Ran> following =
        CompletableFuture.supplyAsync(() -> run("events --follow --since 1h --topic machine -n 5"));
    house.warm("iad", "m2");
    assertThat(following.join().out().lines()).hasSize(5).last().asString().contains("m2");
    Shell.Ran wrong = run("events --topic tea");
    assertThat(wrong.err()).startsWith("cupbear events: topic: must be some of");
    assertThat(wrong.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(run("events --since soon").exit()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void waitingEndsWhenItIsTrueOrTooLate() {
    house.warm("iad", "m1");
    assertThat(good("wait --for warm=1").err()).contains("1 warm of 1 wanted (iad 1, lhr 0)");
    Shell.Ran late = run("wait --for warm=2 --timeout 0s");
    assertThat(late.exit()).isEqualTo(ExitCode.NOT_CONVERGED);
    assertThat(late.err()).contains("not in 0s: 1 warm of 2 wanted", "cupbear plan");
    CompletableFuture<Shell.Ran> waiting =
        CompletableFuture.supplyAsync(() -> run("wait --for warm=2 --region iad --timeout 30s"));
    house.warm("iad", "m2");
    assertThat(waiting.join().exit()).isEqualTo(ExitCode.OK);
    assertThat(run("wait --for warm=floor --timeout 0s").err()).contains("lhr 0 warm, floor 2");
    good("wait --for queue=0");
    assertThat(run("wait --for tea=1").exit()).isEqualTo(ExitCode.USAGE);
    assertThat(run("wait --for queue=0 --region nrt").exit()).isEqualTo(ExitCode.USAGE);
  }

  // ---- who asks, and whom

  @Test
  void aWrongTokenOrNoneExitsFour() {
    for (String words : Shell.ALL) {
      shell.environment.put("CUPBEAR_TOKEN", "cb_nobody_wrong");
      Shell.Ran stranger = run(words);
      assertThat(stranger.exit()).as(words).isEqualTo(ExitCode.NOT_AUTHORISED);
      assertThat(stranger.err()).as(words).contains("unauthorized", "cupbear token create");
      shell.environment.remove("CUPBEAR_TOKEN");
      Shell.Ran nobody = run(words);
      assertThat(nobody.exit()).as(words).isEqualTo(ExitCode.NOT_AUTHORISED);
      assertThat(nobody.err()).as(words).contains("no token in CUPBEAR_TOKEN", "--token-file");
    }
  }

  @Test
  void aRoleThatMayNotIsToldSo() {
    house.warm("iad", "m1");
    shell.environment.put("CUPBEAR_TOKEN", house.token(Role.VIEWER));
    assertThat(good("machines").out()).doesNotContain("fdaa");
    Shell.Ran refused = run("drain m1");
    assertThat(refused.exit()).isEqualTo(ExitCode.NOT_AUTHORISED);
    assertThat(refused.err()).contains("forbidden", "operator or admin");
  }

  @Test
  void theTokenMayBeInAFileAndIsNeverShown() throws IOException {
    shell.environment.remove("CUPBEAR_TOKEN");
    Path file = Files.writeString(folder.resolve("t"), house.token(Role.OPERATOR) + "\n");
    Shell.Ran ran = good("status --token-file " + file);
    assertThat(ran.out() + ran.err()).doesNotContain(house.token(Role.OPERATOR));
    assertThat(run("status --token-file " + folder.resolve("none")).exit())
        .isEqualTo(ExitCode.USAGE);
    Files.writeString(file, "two\nlines");
    Shell.Ran odd = run("status --token-file " + file);
    assertThat(odd.exit()).isEqualTo(ExitCode.NOT_AUTHORISED);
    assertThat(odd.err()).doesNotContain("two");
  }
}
