// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import cupbear.flysim.FlySimConfig;
import cupbear.flysim.Viewers.Mode;
import cupbear.flysim.http.Running.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the API says of a Machine is what its sockets and files do. */
class InsideMachinesIT {
  private static final String ANY = "{\"config\":{\"image\":\"i\"}}";
  private static final String GHOST = "6.select,37.$00000000-0000-0000-0000-000000000000;";
  private static final String NO_SUCH = "5.error,19.No such connection.,3.516;";
  // A bound for a hanging test, not an expectation.
  private static final int PATIENCE_MS = 20_000;
  private static final int SILENCE_MS = 300;

  private final Running running;

  InsideMachinesIT() throws Exception {
    running = new Running(FlySimConfig.standard().withSpeed(500));
  }

  @AfterEach
  void close() {
    running.close();
  }

  @Test
  void startedMachineAnswersGuacdsQuestionOnItsPrivateIp() throws Exception {
    String id = running.started(ANY);
    awaitAnswer(id);
    running.machine("POST", id, "/stop", "");
    running.waitFor(id, "stopped");
    assertThatThrownBy(() -> ask(id, PATIENCE_MS)).isInstanceOf(ConnectException.class);
  }

  @Test
  void hangingViewerAcceptsAndNeverAnswers() throws Exception {
    String id = running.started(ANY);
    awaitAnswer(id);
    Running.await(running.sim.faults().viewer(id, Mode.HANG));
    assertThatThrownBy(() -> ask(id, SILENCE_MS)).isInstanceOf(SocketTimeoutException.class);
    Running.await(running.sim.faults().viewer(id, Mode.READY));
    awaitAnswer(id);
  }

  @Test
  void deadHostIsSilentUntilItIsBack() throws Exception {
    String id = running.started(ANY);
    awaitAnswer(id);
    Running.await(running.sim.faults().hostDown(id));
    assertThatThrownBy(() -> ask(id, SILENCE_MS)).isInstanceOf(SocketTimeoutException.class);
    Running.await(running.sim.faults().hostUp(id));
    awaitAnswer(id);
  }

  @Test
  void migrationAnswersOnTheNewAddress() throws Exception {
    String id = running.started(ANY);
    awaitAnswer(id);
    String before = truth(id).get("private_ip").asText() + truth(id).at("/sim/guacd_port");
    Running.await(running.sim.faults().migrate(id));
    running.waitFor(id, "started");
    assertThat(truth(id).get("private_ip").asText() + truth(id).at("/sim/guacd_port"))
        .isNotEqualTo(before);
    awaitAnswer(id);
  }

  @Test
  void fileIsGoneAfterStopAndStartAndKeptAfterSuspend() throws Exception {
    String id = running.started(ANY);
    exec(id, "[\"tee\",\"/tmp/a\"]", "draft");
    running.machine("POST", id, "/suspend", "");
    running.waitFor(id, "suspended");
    running.machine("POST", id, "/start", "");
    running.waitFor(id, "started");
    assertThat(exec(id, "[\"cat\",\"/tmp/a\"]", "").get("stdout").asText()).isEqualTo("draft");
    running.machine("POST", id, "/stop", "");
    running.waitFor(id, "stopped");
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> running.machine("POST", id, "/start", "").status() == 200);
    running.waitFor(id, "started");
    JsonNode after = exec(id, "[\"cat\",\"/tmp/a\"]", "");
    assertThat(after.get("exit_code").asInt()).isEqualTo(1);
    assertThat(after.get("stdout").asText()).isEmpty();
  }

  @Test
  void processesShowWhatListensWhere() throws Exception {
    String id = running.started(ANY);
    awaitAnswer(id);
    JsonNode rows = running.machine("GET", id, "/ps", "").body();
    assertThat(rows.findValuesAsText("address"))
        .contains(
            truth(id).get("private_ip").asText() + ":" + truth(id).at("/sim/guacd_port").asInt());
  }

  private JsonNode exec(String id, String command, String stdin) throws Exception {
    Answer answer =
        running.machine(
            "POST", id, "/exec", "{\"command\":%s,\"stdin\":\"%s\"}".formatted(command, stdin));
    assertThat(answer.status()).isEqualTo(200);
    return answer.body();
  }

  private JsonNode truth(String id) throws Exception {
    return running.call("GET", "/sim/machines/" + id, "").body();
  }

  private void awaitAnswer(String id) {
    await()
        .atMost(Duration.ofSeconds(20))
        .ignoreException(ConnectException.class)
        .until(() -> ask(id, PATIENCE_MS).equals(NO_SUCH));
  }

  private String ask(String id, int patience) throws Exception {
    JsonNode machine = truth(id);
    return ask(machine.get("private_ip").asText(), machine.at("/sim/guacd_port").asInt(), patience);
  }

  private static String ask(String host, int port, int patience) throws IOException {
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(patience);
      socket.connect(new InetSocketAddress(host, port), PATIENCE_MS);
      socket.getOutputStream().write(GHOST.getBytes(StandardCharsets.UTF_8));
      InputStream in = socket.getInputStream();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
