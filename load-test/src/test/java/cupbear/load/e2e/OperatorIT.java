// SPDX-License-Identifier: Apache-2.0
package cupbear.load.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import cupbear.load.stack.SchedulerProcess;
import cupbear.load.stack.StackPlan.Bounds;
import cupbear.load.stack.StackPlan.Pool;
import cupbear.load.viewer.Viewing;
import cupbear.scheduler.Main;
import cupbear.scheduler.cli.ExitCode;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What operators type, and what becomes of it in two running schedulers. */
class OperatorIT {
  private static final String POOL = "viewers";

  /** The bit of SIGHUP in a mask of Linux. */
  private static final long HANG_UP = 1;

  @TempDir private static Path folder;
  private static Rig rig;

  /** What a command left behind. */
  private record Ran(int exit, String out, String err) {
    String all() {
      return out + err;
    }
  }

  @BeforeAll
  static void start() throws Exception {
    rig =
        Rig.start(
            Rig.PLAN
                .withReplicas(2)
                .withPools(Pool.of(POOL, new Bounds("iad", 2, 3), new Bounds("lhr", 1, 2))));
    Files.writeString(folder.resolve("token"), rig.stack().operatorToken());
    Files.writeString(folder.resolve("wrong"), "cb_aaaaaaaaaa_wrong");
  }

  @AfterAll
  static void end() throws Exception {
    if (rig != null) rig.close();
  }

  @BeforeEach
  void isWhole() {
    rig.whole(POOL);
  }

  @AfterEach
  void promisesAreKept() {
    rig.ledger().assertKept();
  }

  private static Ran run(String words) {
    String apis =
        rig.stack().schedulers().stream()
            .map(SchedulerProcess::api)
            .collect(Collectors.joining(","));
    return run(words, "--api", apis, "--token-file", folder.resolve("token").toString());
  }

  private static Ran run(String words, String... more) {
    List<String> all = new ArrayList<>(List.of(words.split(" ")));
    all.addAll(Arrays.asList(more));
    CommandLine line = Main.commandLine();
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int exit = line.execute(all.toArray(String[]::new));
    return new Ran(exit, out.toString(), err.toString());
  }

  private static String good(String words) {
    Ran ran = run(words);
    assertThat(ran.exit()).as(words + "\n" + ran.all()).isEqualTo(ExitCode.OK);
    return ran.out();
  }

  private static void until(String words, String said) {
    rig.until(words + " says " + said, () -> good(words).contains(said));
  }

  // ---- looking

  @Test
  void everyRegionIsShownWithItsPlanWhoeverLeadsIt() {
    rig.until(
        "each leader has made a pass",
        () ->
            good("status")
                .lines()
                .skip(1)
                .allMatch(row -> row.matches("(iad|lhr) .* local-\\S+ +[0-9]+s +\\S.*")));
    assertThat(good("plan")).contains("viewers in iad at", "viewers in lhr at", "counted  ");
    assertThat(good("plan --region lhr")).contains("in lhr at").doesNotContain("in iad at");
    assertThat(new JsonObject(good("status -o json")).getJsonArray("pools")).hasSize(1);
  }

  @Test
  void aMachinesWholeStoryIsTold() throws Exception {
    Viewing viewing = rig.look(POOL, "iad");
    String machine = Rig.machineOf(viewing);
    assertThat(good("sessions")).contains(viewing.session().id(), machine, "connected");
    assertThat(good("machines --state assigned")).contains(machine, viewing.session().id());
    rig.leave(viewing);
    until("machines show " + machine, "cleaned");
    assertThat(good("machines show " + machine))
        .contains("viewers in iad", "template 1")
        .containsSubsequence(
            "enrolled", "staged", "proven", "granted", "connected", "ended", "cleaned");
    assertThat(good("events --topic session -n 2 -o json").lines())
        .hasSize(2)
        .allMatch(line -> new JsonObject(line).getString("type").startsWith("session."));
  }

  @Test
  void exitCodesSayWhatIsTheMatter() {
    String api = rig.stack().schedulers().getFirst().api();
    String token = folder.resolve("token").toString();
    assertThat(run("wait --for warm=3").exit()).isEqualTo(ExitCode.OK);
    assertThat(run("wait --for warm=floor").exit()).isEqualTo(ExitCode.OK);
    assertThat(run("machines show nobody").exit()).isEqualTo(ExitCode.FAILED);
    assertThat(run("machines --state tired").exit()).isEqualTo(ExitCode.USAGE);
    assertThat(run("drain nrt").exit()).isEqualTo(ExitCode.USAGE);
    Ran late = run("wait --for warm=50 --timeout 1s");
    assertThat(late.exit()).isEqualTo(ExitCode.NOT_CONVERGED);
    assertThat(late.err()).contains("of 50 wanted", "cupbear plan");
    String wrong = folder.resolve("wrong").toString();
    assertThat(run("status", "--api", api, "--token-file", wrong).exit())
        .isEqualTo(ExitCode.NOT_AUTHORISED);
    assertThat(run("status", "--api", "http://127.0.0.1:1", "--token-file", token).exit())
        .isEqualTo(ExitCode.UNREACHABLE);
  }

  // ---- steering

  @Test
  void aCordonedMachineIsGivenToNobody() throws Exception {
    String machine = rig.ids(POOL, "warm").iterator().next();
    good("cordon " + machine + " --reason odd");
    List<Viewing> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) all.add(rig.look(POOL));
    assertThat(all).extracting(Rig::machineOf).doesNotContain(machine);
    for (Viewing each : all) rig.leave(each);
    assertThat(good("machines show " + machine)).contains("cordon", "odd");
    good("uncordon " + machine);
    until("machines show " + machine, "uncordon");
  }

  @Test
  void aDrainedRegionKeepsItsSessionsAndNothingElse() throws Exception {
    Viewing standing = rig.look(POOL, "lhr");
    assertThat(run("drain lhr").err()).contains("--yes");
    assertThat(good("drain lhr --dry-run")).contains("would drain lhr", Rig.machineOf(standing));
    good("drain lhr --yes");
    rig.until(
        "only the session is left in service",
        () -> rig.ids(POOL, "provisioning", "proving", "warm").stream().noneMatch(this::isInLhr));
    assertThat(good("status --region lhr")).contains("draining");
    assertThat(standing.disturbed()).isNull();
    Viewing elsewhere = rig.look(POOL, "lhr", "iad");
    assertThat(elsewhere.session().grant().region()).isEqualTo("iad");
    rig.leave(elsewhere);
    good("uncordon lhr");
    rig.whole(POOL);
    rig.leave(standing);
  }

  private boolean isInLhr(String machine) {
    return good("machines --region lhr -q").contains(machine);
  }

  @Test
  void aPausedRegionDecidesAndDoesNothing() throws Exception {
    good("pause iad");
    Viewing viewing = rig.look(POOL, "iad");
    until("status --region iad", "paused, would ");
    rig.leave(viewing);
    until("machines --state draining", Rig.machineOf(viewing));
    good("resume iad");
    rig.whole(POOL);
    until("events --topic act", "act.resume");
  }

  // ---- settings

  @Test
  void newSettingsHoldAfterSighupAndWrongOnesAreLeftOut() throws Exception {
    assumeThat(isHangUpIgnored())
        .as("whoever started this build ignores SIGHUP, as nohup does, and so do its processes")
        .isFalse();
    var before = rig.stack().plan();
    rig.stack().declare(before.withMore("no_such_key: 1"));
    for (SchedulerProcess each : rig.stack().schedulers()) {
      each.reload();
      rig.until("it says what is wrong", () -> logOf(each).contains("they are wrong"));
      assertThat(logOf(each)).contains("no_such_key");
    }
    rig.whole(POOL);
    rig.stack()
        .declare(
            before.withPool(
                POOL,
                pool ->
                    pool.withRegions(List.of(new Bounds("iad", 3, 4), new Bounds("lhr", 1, 2)))));
    for (SchedulerProcess each : rig.stack().schedulers()) {
      each.reload();
      rig.until("it takes them over", () -> logOf(each).contains("new settings hold"));
    }
    rig.until("iad has three", () -> good("wait --for warm=3 --region iad").isEmpty());
  }

  private static String logOf(SchedulerProcess scheduler) throws IOException {
    return Files.readString(scheduler.log());
  }

  private static boolean isHangUpIgnored() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) return false;
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("SigIgn:"))
        .map(line -> Long.parseUnsignedLong(line.substring("SigIgn:".length()).strip(), 16))
        .anyMatch(mask -> (mask & HANG_UP) != 0);
  }
}
