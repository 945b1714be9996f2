// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The environment over the file. */
class VariablesTest {
  private static String effective(String yaml, Map<String, String> environment, String path) {
    return Sample.good(yaml, environment).effective().stream()
        .filter(each -> each.path().equals(path))
        .map(each -> each.value() + " from " + each.origin())
        .findFirst()
        .orElse("unset");
  }

  @ParameterizedTest(name = "{0}={1} sets {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "CUPBEAR_ENVIRONMENT | staging | environment | staging",
        "CUPBEAR_FLY_API | http://[::1]:4280 | fly.api | http://[::1]:4280",
        "CUPBEAR_RECONCILE_MAX_ACTIONS | 7 | reconcile.max_actions | 7",
        "CUPBEAR_POOLS_VIEWERS_RECONCILE_MAX_ACTIONS | 7 | pools.viewers.reconcile.max_actions | 7",
        "CUPBEAR_POOLS_VIEWERS_REGIONS_IAD_WARM_MIN | 3 | pools.viewers.regions.iad.warm_min | 3",
        "CUPBEAR_POOLS_VIEWERS_TEMPLATE_VERSION | 8 | pools.viewers.template.version | 8",
        "CUPBEAR_POOLS_VIEWERS_TEMPLATE_ENV_GUACD_BIND | a |"
            + " pools.viewers.template.env.GUACD_BIND | a",
        "CUPBEAR_POOLS_VIEWERS_LABELS_GPU | true | pools.viewers.labels.gpu | true",
        "CUPBEAR_POOLS_VIEWERS_PLACEMENT_ORDER_SYD | lhr,iad |"
            + " pools.viewers.placement.order.syd | [lhr, iad]",
        "CUPBEAR_POOLS_VIEWERS_PROBE_CREDSSP | true | pools.viewers.probe.credssp | true",
      })
  void aVariableSetsItsKeyAndSaysSo(String variable, String value, String path, String shown) {
    assertThat(effective(Sample.GOOD, Map.of(variable, value), path))
        .isEqualTo(shown + " from " + variable);
  }

  @Test
  void aVariableWinsOverTheFile() {
    Settings settings =
        Sample.good(Sample.GOOD, Map.of("CUPBEAR_POOLS_VIEWERS_REGIONS_IAD_WARM_MIN", "4"))
            .settings();
    assertThat(settings.pools().values().iterator().next().regions().values())
        .extracting(bounds -> bounds.warmMin())
        .containsExactly(4, 1);
  }

  @Test
  void aNameWithADashIsFoundByItsUnderscore() {
    String yaml = Sample.with(6, "  web-viewers:");
    String path = "pools.web-viewers.regions.iad.warm_max";
    assertThat(effective(yaml, Map.of("CUPBEAR_POOLS_WEB_VIEWERS_REGIONS_IAD_WARM_MAX", "9"), path))
        .startsWith("9 from");
  }

  @Test
  void aVariableOfTheViewerIsNotMistakenForAKey() {
    String variable = "CUPBEAR_POOLS_VIEWERS_TEMPLATE_ENV_SESSIONS_WAIT_MAX";
    String path = "pools.viewers.template.env.SESSIONS_WAIT_MAX";
    assertThat(effective(Sample.GOOD, Map.of(variable, "x"), path)).startsWith("x from");
  }

  @Test
  void theWholeConfigurationCanComeFromTheEnvironment() {
    Map<String, String> environment =
        Map.ofEntries(
            Map.entry("CUPBEAR_ENVIRONMENT", "prod"),
            Map.entry("CUPBEAR_FLY_APP", "a"),
            Map.entry("CUPBEAR_FLY_ORG", "b"),
            Map.entry("CUPBEAR_REDIS_URL", "redis-sentinel://a:1,b:2/main"),
            Map.entry("CUPBEAR_POOLS_VIEWERS_TEMPLATE_VERSION", "1"),
            Map.entry("CUPBEAR_POOLS_VIEWERS_TEMPLATE_IMAGE", "i"),
            Map.entry("CUPBEAR_POOLS_VIEWERS_REGIONS_IAD_WARM_MIN", "1"),
            Map.entry("CUPBEAR_POOLS_VIEWERS_REGIONS_IAD_WARM_MAX", "2"),
            Map.entry("CUPBEAR_POOLS_VIEWERS_TEARDOWN_0_NAME", "bye"),
            Map.entry("CUPBEAR_POOLS_VIEWERS_TEARDOWN_0_RUN", "pkill, -9"));
    PoolSettings pool = Sample.good("", environment).settings().pools().values().iterator().next();
    assertThat(pool.ending().teardown().getFirst().run()).containsExactly("pkill", "-9");
  }

  @ParameterizedTest(name = "{0}={1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "CUPBEAR_ENVIROMENT | prod | "
            + "is a variable that no key has; did you mean CUPBEAR_ENVIRONMENT?",
        "CUPBEAR_POOLS_VIEWERS_REGIONS_IAD_WARM_MIM | 1 | "
            + "did you mean CUPBEAR_POOLS_VIEWERS_REGIONS_IAD_WARM_MIN?",
        "CUPBEAR_FLYTOKEN | hunter2 | did you mean CUPBEAR_FLY_TOKEN?",
        "CUPBEAR_RECONCILE_EVERY | 5 | reconcile.every is 5; give a duration",
        "CUPBEAR_RECONCILE_EVERY | '' | reconcile.every is empty; give a duration",
        "CUPBEAR_POOLS_VIEWRES_REGIONS_IAD_WARM_MIN | 1 | "
            + "pools.viewres.template.image is missing; "
            + "give an image, best by its digest; did you mean pool viewers?",
        "CUPBEAR_POOLS_VIEWERS_REGIONS_AMS_WARM_MIN | 1 | "
            + "pools.viewers.regions.ams.warm_max is missing",
        "CUPBEAR_POOLS_VIEWERS_TEARDOWN_1_NAME | a | pools.viewers.teardown.1 leaves a gap",
        "CUPBEAR_SECRET_KEY | hunter2 | "
            + "CUPBEAR_SECRET_KEY is not 32 bytes in base64; make one with",
        "CUPBEAR_FLY_TOKEN | ' ' | CUPBEAR_FLY_TOKEN is empty; set it, or unset the variable",
        "CUPBEAR_FLY_TOKEN_FILE | /no/such/file | "
            + "CUPBEAR_FLY_TOKEN_FILE is /no/such/file; give a file",
      })
  void whatIsWrongNamesTheVariable(String variable, String value, String problem) {
    assertThat(Sample.problems(Sample.GOOD, Map.of(variable, value)))
        .anySatisfy(each -> assertThat(each).startsWith(variable + ": ").contains(problem))
        .noneMatch(each -> each.contains("hunter2"));
  }

  @Test
  void oursThatAreNoKeysAndThoseOfOthersAreLeftAlone() {
    Map<String, String> environment =
        Map.of("CUPBEAR_JAVA_HOME", "x", "CUPBEAR_DEBUG", "1", "CUPBEAR_TOKEN", "y", "PATH", "z");
    assertThat(Sample.problems(Sample.GOOD, environment)).isEmpty();
  }

  @Test
  void aSecretMayLieInAFileThatTheEnvironmentNames(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("fly"), "canary\n");
    var problems = new java.util.ArrayList<Problem>();
    var secret =
        SecretVariable.FLY_TOKEN.read(Map.of("CUPBEAR_FLY_TOKEN_FILE", file.toString()), problems);
    assertThat(problems).isEmpty();
    assertThat(secret.orElseThrow().reveal()).isEqualTo("canary");
    SecretVariable.FLY_TOKEN.read(
        Map.of("CUPBEAR_FLY_TOKEN_FILE", file.toString(), "CUPBEAR_FLY_TOKEN", "x"), problems);
    assertThat(problems.getFirst().toString()).contains("are both set; keep one");
  }
}
