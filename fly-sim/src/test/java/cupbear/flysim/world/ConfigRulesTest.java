// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which configs are taken, and how they come back. */
class ConfigRulesTest {
  private final Stage stage = new Stage();

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | config is required",
        "{\"config\":{}} | config.image is required",
        "{\"config\":{\"image\":\"i\",\"metadata\":{\"a\":1}}} | metadata.a must be",
        "{\"config\":{\"image\":\"i\",\"restart\":{\"policy\":\"maybe\"}}} | config.restart.policy",
        "{\"config\":{\"image\":\"i\",\"schedule\":\"always\"}} | config.schedule",
        "{\"config\":{\"image\":\"i\",\"guest\":{\"memory_mb\":300}}} | steps of 256",
        "{\"config\":{\"image\":\"i\",\"guest\":{\"cpus\":1,\"memory_mb\":4096}}} | 256 to 2048",
        "{\"config\":{\"image\":\"i\",\"guest\":{\"cpu_kind\":\"fast\"}}} | shared or performance",
        "{\"config\":{\"image\":\"i\",\"stop_config\":{\"timeout\":\"301s\"}}} | at most 300s",
        "{\"config\":{\"image\":\"i\",\"stop_config\":{\"timeout\":\"soon\"}}} | is not a duration",
        "{\"config\":{\"image\":\"i\",\"stop_config\":{\"signal\":\"SIGX\"}}} | stop_config.signal",
        "{\"config\":{\"image\":\"i\",\"services\":[{\"autostop\":\"nap\"}]}} | autostop",
        "{\"config\":{\"image\":\"i\",\"mounts\":[{\"volume\":\"v\"}]}} | not simulated",
        "{\"name\":7,\"config\":{\"image\":\"i\"}} | name must be a string",
        "{\"lease_ttl\":-1,\"config\":{\"image\":\"i\"}} | ttl",
        "not json | not JSON",
      })
  void refused(String body, String why) {
    Reply reply = stage.create(body);
    assertThat(reply.status()).isEqualTo(400);
    assertThat(Stage.error(reply)).startsWith("invalid_argument: ").contains(why);
    assertThat(stage.call(Action.LIST, "").body()).isEmpty();
  }

  @Test
  void badScheduleIsASwitch() {
    stage.switches("{\"bad_schedule\":\"accept\"}");
    assertThat(stage.create("{\"config\":{\"image\":\"i\",\"schedule\":\"always\"}}").status())
        .isEqualTo(200);
  }

  @Test
  void echoHasDefaultsAndKeepsWhatItDoesNotKnow() {
    JsonNode machine =
        stage.create("{\"config\":{\"image\":\"i\",\"env\":{\"A\":\"b\"},\"odd\":[1]}}").body();
    assertThat(machine.get("config").toString())
        .isEqualTo(
            "{\"image\":\"i\",\"env\":{\"A\":\"b\"},\"odd\":[1],\"metadata\":{},"
                + "\"guest\":{\"cpu_kind\":\"shared\",\"cpus\":1,\"memory_mb\":256},"
                + "\"init\":{},\"dns\":{}}");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "registry.example/team/viewer:7, registry.example, team/viewer, 7",
    "registry.example:5000/viewer, registry.example:5000, viewer, ''",
    "library/viewer@sha256:7c1e, '', library/viewer, ''",
    "viewer, '', viewer, ''"
  })
  void imageRef(String image, String registry, String repository, String tag) {
    JsonNode ref = ImageRef.of(image);
    assertThat(ref.get("registry").asText()).isEqualTo(registry);
    assertThat(ref.get("repository").asText()).isEqualTo(repository);
    assertThat(ref.get("tag").asText()).isEqualTo(tag);
    assertThat(ref.get("digest").asText()).startsWith("sha256:");
  }
}
