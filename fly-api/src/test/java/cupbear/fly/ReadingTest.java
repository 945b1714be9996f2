// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cupbear.fly.model.CheckResult;
import cupbear.fly.model.ExecResult;
import cupbear.fly.model.ExitEvent;
import cupbear.fly.model.HostStatus;
import cupbear.fly.model.Lease;
import cupbear.fly.model.Machine;
import cupbear.fly.model.MachineConfig;
import cupbear.fly.model.MachineEvent;
import cupbear.fly.model.MachineState;
import cupbear.fly.model.OrgMachines;
import cupbear.fly.model.Regions;
import cupbear.fly.model.Service;
import cupbear.fly.model.Started;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fly's answers in all the forms that were documented or seen. */
class ReadingTest {

  private static final String FULL =
      """
      {"id":"3d8d413b29d089","name":"wp-iad-v7-01J9","state":"started","region":"iad",
       "instance_id":"01J9ZK3M8Q","private_ip":"fdaa:9:d844:a7b:e:33bd:e8b1:2",
       "created_at":"2026-09-01T10:00:00Z","updated_at":"2026-09-01T12:00:01+02:00",
       "image_ref":{"repository":"cupbear-viewer","digest":"sha256:7c1e","labels":null},
       "config":{"image":"r/cupbear-viewer@sha256:7c1e","env":{"POOL_REGION":"iad"},
         "guest":{"cpu_kind":"shared","cpus":2,"memory_mb":2048,"gpus":0,"new_thing":[1]},
         "restart":{"policy":"always"},"stop_config":{"signal":"SIGTERM","timeout":"20s"},
         "checks":{"guacd":{"type":"tcp","port":4822,"interval":"10s","timeout":2000000000}},
         "services":[{"protocol":"tcp","internal_port":80,"autostop":true,"autostart":false}],
         "metadata":{"role":"warm-pool","state":"warm"},"init":{},"dns":{"skip_registration":true}},
       "checks":[{"name":"guacd","status":"passing","updated_at":"2026-09-01T10:00:05Z"},
                 {"name":"new","status":"sparkling"}],
       "events":[{"id":"01E","type":"exit","status":"stopped","source":"flyd",
          "timestamp":1788257000123,"request":{"restart_count":3,"exit_event":{"exit_code":1},
          "MonitorEvent":{"exit_event":{"exit_code":137,"oom_killed":true,"requested_stop":false,
             "exited_at":"2026-09-01T10:03:20.123456789Z"}}}},
         {"id":"01D","type":"start","status":"started","source":"flyd","timestamp":1788256900000}],
       "lease":{"owner":"sched@tokens.fly.io","expires_at":4102444800,"description":"x"},
       "host_status":"ok","cordoned":true,"nonce":"5c35f65c9f95","brand_new":{"a":[1,2]}}
      """;

  @Test
  void aWholeMachine() throws IOException {
    Machine machine = read(FULL, Machine.class);
    assertThat(machine.id()).isEqualTo("3d8d413b29d089");
    assertThat(machine.state().kind()).isEqualTo(MachineState.Kind.STARTED);
    assertThat(machine.instanceId()).isEqualTo("01J9ZK3M8Q");
    assertThat(machine.updatedAt()).isEqualTo(Instant.parse("2026-09-01T10:00:01Z"));
    assertThat(machine.hostStatus()).isEqualTo(HostStatus.OK);
    assertThat(machine.cordoned()).isTrue();
    assertThat(machine.metadata()).containsEntry("state", "warm");
    assertThat(machine.checks())
        .extracting(CheckResult::status)
        .containsExactly(CheckResult.Status.PASSING, CheckResult.Status.UNKNOWN);
    assertThat(Objects.requireNonNull(machine.lease()).expires())
        .as("seconds, beyond 32 bits of milliseconds")
        .isEqualTo(Instant.parse("2100-01-01T00:00:00Z"));
  }

  @Test
  void theMonitorsExitIsBelievedAndTimesAreMilliseconds() throws IOException {
    Machine machine = read(FULL, Machine.class);
    MachineEvent newest = machine.events().get(0);
    assertThat(newest.at()).isEqualTo(Instant.ofEpochMilli(1788257000123L));
    assertThat(newest.restartCount()).isEqualTo(3);
    ExitEvent exit = newest.exit().orElseThrow();
    assertThat(exit.exitCode()).isEqualTo(137);
    assertThat(exit.oomKilled()).isTrue();
    assertThat(exit.exitedAt()).isEqualTo(Instant.parse("2026-09-01T10:03:20.123456789Z"));
    assertThat(machine.unexpectedExit()).contains(exit);
    assertThat(machine.events().get(1).exit()).isEmpty();
  }

  @Test
  void aRequestedStopIsNoUnexpectedExit() throws IOException {
    String asked = FULL.replace("\"requested_stop\":false", "\"requested_stop\":true");
    assertThat(read(asked, Machine.class).unexpectedExit()).isEmpty();
  }

  @Test
  void durationsComeInBothForms() throws IOException {
    MachineConfig config = Objects.requireNonNull(read(FULL, Machine.class).config());
    assertThat(Objects.requireNonNull(config.stopConfig()).timeout())
        .isEqualTo(Duration.ofSeconds(20));
    assertThat(config.checks().values())
        .singleElement()
        .satisfies(check -> assertThat(check.interval()).isEqualTo(Duration.ofSeconds(10)))
        .satisfies(check -> assertThat(check.timeout()).isEqualTo(Duration.ofSeconds(2)));
  }

  @Test
  void anEditedConfigurationLosesNothing() throws IOException {
    MachineConfig config = Objects.requireNonNull(read(FULL, Machine.class).config());
    MachineConfig edited = config.edit().metadata("state", "draining").env("X", "1").build();
    String json = new String(FlyJson.write(edited), StandardCharsets.UTF_8);
    assertThat(FlyJson.tree(FlyJson.write(edited)).orElseThrow())
        .isEqualTo(
            FlyJson.tree(
                    bytes(
                        """
                        {"image":"r/cupbear-viewer@sha256:7c1e",
                         "env":{"POOL_REGION":"iad","X":"1"},
                         "guest":{"cpu_kind":"shared","cpus":2,"memory_mb":2048,"gpus":0,
                            "new_thing":[1]},
                         "restart":{"policy":"always"},
                         "stop_config":{"signal":"SIGTERM","timeout":"20s"},
                         "checks":{"guacd":{"type":"tcp","port":4822,"interval":"10s",
                            "timeout":"2s"}},
                         "services":[{"protocol":"tcp","internal_port":80,"autostop":true,
                            "autostart":false}],
                         "metadata":{"role":"warm-pool","state":"draining"},
                         "init":{},"dns":{"skip_registration":true}}
                        """))
                .orElseThrow());
    assertThat(read(json, MachineConfig.class)).isEqualTo(edited);
  }

  @Test
  void anEmptyObjectIsAMachineOfWhichNothingIsKnown() throws IOException {
    Machine machine = read("{}", Machine.class);
    assertThat(machine.state().kind()).isEqualTo(MachineState.Kind.UNKNOWN);
    assertThat(machine.hostStatus()).isEqualTo(HostStatus.UNKNOWN);
    assertThat(machine.createdAt()).isEqualTo(Instant.EPOCH);
    assertThat(machine.metadata()).isEmpty();
    assertThat(machine.config()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"id\":null,\"state\":null,\"events\":null,\"config\":null,\"host_status\":null}",
        "{\"checks\":[null],\"config\":{\"metadata\":{\"a\":null},\"env\":null,\"init\":null}}",
        "{\"created_at\":\"yesterday\",\"updated_at\":\"\"}",
        "{\"config\":{\"metadata\":{\"n\":7,\"b\":true}}}"
      })
  void nullsAndOddValuesPass(String body) throws IOException {
    assertThat(read(body, Machine.class)).isNotNull();
  }

  @Test
  void onADeadHostThePartialConfigurationStillNamesItsMetadata() throws IOException {
    Machine machine =
        read(
            """
            {"id":"1","host_status":"unreachable","incomplete_config":{"metadata":{"role":"r"}}}
            """,
            Machine.class);
    assertThat(machine.config()).isNull();
    assertThat(machine.hostStatus()).isEqualTo(HostStatus.UNREACHABLE);
    assertThat(machine.metadata()).containsEntry("role", "r");
  }

  @ParameterizedTest(name = "{0} is {1}, {2}")
  @CsvSource({
    "started, STARTED, RESTING",
    "launch_failed, LAUNCH_FAILED, MOVING",
    "destroyed, DESTROYED, OVER",
    "hibernating, UNKNOWN, UNKNOWN",
    "pending, UNKNOWN, UNKNOWN"
  })
  void unknownStatesKeepTheirWord(String word, MachineState.Kind kind, MachineState.Phase phase)
      throws IOException {
    MachineState state = read("{\"state\":\"" + word + "\"}", Machine.class).state();
    assertThat(state.kind()).isEqualTo(kind);
    assertThat(state.kind().phase()).isEqualTo(phase);
    assertThat(state.word()).isEqualTo(word);
  }

  @ParameterizedTest(name = "autostop {0} is {1}")
  @CsvSource({
    "true, STOP",
    "false, OFF",
    "'\"off\"', OFF",
    "'\"stop\"', STOP",
    "'\"suspend\"', SUSPEND",
    "'\"later\"', UNKNOWN",
    "null, OFF"
  })
  void autostopComesAsBooleanOrWord(String json, Service.Autostop meaning) throws IOException {
    Service service = read("{\"autostop\":" + json + "}", Service.class);
    assertThat(service.autostop()).isEqualTo(meaning);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"nonce\":\"5c35\",\"expires_at\":1788256860,\"owner\":\"s@x\",\"description\":\"d\"}",
        "{\"status\":\"success\",\"data\":{\"nonce\":\"5c35\",\"expires_at\":1788256860,"
            + "\"owner\":\"s@x\",\"description\":\"d\",\"version\":\"\"}}"
      })
  void aLeaseIsFlatOrInAnEnvelope(String body) throws IOException {
    assertThat(Read.lease(bytes(body))).isEqualTo(new Lease("5c35", 1788256860L, "s@x", "d", ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"Regions\":[{\"code\":\"iad\",\"latitude\":39.02}],\"Nearest\":\"iad\"}",
        "{\"regions\":[{\"code\":\"iad\",\"latitude\":39.02}],\"nearest\":\"iad\"}",
        "{\"Regions\":[{\"Code\":\"iad\",\"Latitude\":39.02}],\"Nearest\":\"iad\"}"
      })
  void regionsComeInEitherCase(String body) throws IOException {
    Regions regions = Read.regions(bytes(body));
    assertThat(regions.nearest()).isEqualTo("iad");
    assertThat(regions.regions())
        .singleElement()
        .satisfies(region -> assertThat(region.code()).isEqualTo("iad"))
        .satisfies(region -> assertThat(region.latitude()).isEqualTo(39.02));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | 0 | true",
        "{\"stdout\":\"x\"} | 0 | true",
        "{\"exit_code\":3} | 3 | false",
        "{\"exit_code\":0,\"exit_signal\":9} | 0 | false"
      })
  void anExitCodeOfZeroMayBeLeftOut(String body, int code, boolean ok) throws IOException {
    ExecResult result = read(body, ExecResult.class);
    assertThat(result.exitCode()).isEqualTo(code);
    assertThat(result.ok()).isEqualTo(ok);
  }

  @Test
  void aStartThatWasRefusedInsideA200() throws IOException {
    assertThat(Read.started(bytes("{\"previous_state\":\"stopped\",\"migrated\":true}")))
        .isEqualTo(new Started(MachineState.of("stopped"), true, ""));
    assertThat(Read.started(new byte[0]).previousState().word()).isEmpty();
    assertThatThrownBy(
            () -> Read.started(bytes("{\"status\":\"error\",\"message\":\"no capacity\"}")))
        .isInstanceOf(Call.RefusedInside.class)
        .hasMessage("no capacity");
  }

  @Test
  void anOrganisationsPageTellsWhichRegionsAreMissing() throws IOException {
    OrgMachines page =
        read(
            """
            {"machines":[{"id":"1","app_name":"v","version":"01V","state":"started",
              "config":{"image":"i","guest":{"cpus":1},"metadata":{"role":"r"}}}],
             "next_cursor":"abc","last_updated_at":"2026-09-01T10:00:00Z","error_regions":["gru"]}
            """,
            OrgMachines.class);
    assertThat(page.isWhole()).isFalse();
    assertThat(page.isLast()).isFalse();
    assertThat(page.errorRegions()).containsExactly("gru");
    assertThat(page.machines()).singleElement().extracting("version").isEqualTo("01V");
    assertThat(read("{}", OrgMachines.class).isLast()).isTrue();
  }

  @Test
  void metadataIsText() throws IOException {
    assertThat(Read.metadata(bytes("{\"a\":\"x\",\"n\":7,\"gone\":null}")))
        .isEqualTo(Map.of("a", "x", "n", "7"));
  }

  @Test
  void ipsComeWrappedOrBare() throws IOException {
    var reader = Read.listIn("ips", cupbear.fly.model.IpAssignment.class);
    assertThat(reader.read(bytes("{\"ips\":[{\"ip\":\"1.2.3.4\",\"shared\":true}]}"))).hasSize(1);
    assertThat(reader.read(bytes("[{\"ip\":\"1.2.3.4\"}]"))).hasSize(1);
    assertThat(reader.read(bytes("{\"ips\":null}"))).isEqualTo(List.of());
  }

  private static <T> T read(String body, Class<T> type) throws IOException {
    return FlyJson.read(bytes(body), type);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
