// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import cupbear.flysim.FlySimConfig;
import cupbear.flysim.NoViewers;
import cupbear.flysim.world.Action;
import cupbear.flysim.world.Order;
import cupbear.flysim.world.Reply;
import cupbear.flysim.world.Timers;
import cupbear.flysim.world.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** docs/fly-sim.md leaves nothing out and shows nothing that does not work. */
class FlySimPageTest {
  private static final Pattern FAULT = Pattern.compile("/sim/faults -d '(\\{.*})'");

  private final World world =
      new World(FlySimConfig.standard().world(), new StoppedTime(), new NoViewers());

  static String page() throws IOException {
    // The module's own folder in a build, the project's in an editor.
    Path beside = Path.of("../docs/fly-sim.md");
    return Files.readString(Files.exists(beside) ? beside : Path.of("docs/fly-sim.md"));
  }

  @ParameterizedTest
  @EnumSource(Action.class)
  void everyCallIsListed(Action action) throws Exception {
    assertThat(page()).contains("`" + action.method() + " " + action.path() + "`");
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void everyControlCallIsListed(Order order) throws Exception {
    assertThat(page()).contains("`" + order.method() + " " + order.path() + "`");
  }

  @Test
  void everySwitchIsListed() throws Exception {
    String page = page();
    ask(Order.GET_SWITCHES, "")
        .fieldNames()
        .forEachRemaining(name -> assertThat(page).contains("`" + name + "`"));
  }

  @Test
  void everyFaultIsListedWithACallThatIsAccepted() throws Exception {
    Matcher shown = FAULT.matcher(page());
    int calls = 0;
    while (shown.find()) {
      Reply reply = world.control(Order.ADD_FAULT, Map.of(), "", shown.group(1));
      assertThat(reply.status()).as(shown.group(1)).isEqualTo(201);
      calls++;
    }
    assertThat(calls).isEqualTo(21);
    String error =
        world
            .control(Order.ADD_FAULT, Map.of(), "", "{\"kind\":\"?\"}")
            .body()
            .get("error")
            .asText();
    String kinds = error.substring(error.indexOf('[') + 1, error.indexOf(']'));
    for (String kind : kinds.split(", ")) {
      assertThat(page()).contains("\"kind\":\"" + kind + "\"").contains("`" + kind + "`");
    }
  }

  @Test
  void faultsFileOfThePageIsAccepted() throws Exception {
    String page = page();
    int from = page.indexOf("```json\n") + "```json\n".length();
    JsonNode file = new ObjectMapper().readTree(page.substring(from, page.indexOf("```", from)));
    FlySimConfig config = FlySimConfig.standard().withPreset(file.toString());
    World preset = new World(config.world(), new StoppedTime(), new NoViewers());
    assertThat(preset.control(Order.LIST_FAULTS, Map.of(), "", "").body()).hasSize(2);
  }

  private JsonNode ask(Order order, String body) {
    return world.control(order, Map.of(), "", body).body();
  }

  /** Nothing here takes time. */
  private static final class StoppedTime implements Timers {
    @Override
    public Instant now() {
      return Instant.EPOCH;
    }

    @Override
    public Timer after(Duration delay, Runnable step) {
      return () -> {};
    }

    @Override
    public void enter(Runnable step) {
      step.run();
    }
  }
}
