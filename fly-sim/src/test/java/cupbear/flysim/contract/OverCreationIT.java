// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.contract;

import static cupbear.flysim.contract.Meeting.CONFIG;
import static cupbear.flysim.contract.Meeting.value;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.fly.FlyApp;
import cupbear.fly.FlyConfig.Pacing;
import cupbear.fly.Rate;
import cupbear.fly.RetryRule;
import cupbear.fly.model.CreateMachine;
import cupbear.fly.model.Created;
import cupbear.fly.model.NewApp;
import cupbear.flysim.FlySimConfig;
import cupbear.flysim.NoViewers;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Two hundred Machines are wanted while creates lie, lists lag or come back empty, and rate limits
 * bite. Two hundred there are in the end, without a caller that asks twice: the promise behind
 * deterministic names.
 */
class OverCreationIT {

  private static final int APPS = 10;
  private static final int MACHINES_EACH = 20;

  /** Twenty times Fly's limits, and a client that keeps to a little less. */
  private static final String LIMITS = "{\"rate_limits\":true,\"rate_limit_factor\":20}";

  private static final Pacing PACE = Pacing.USUAL.usual(new Rate(18, 3));

  @Test
  void twoHundredWantedTwoHundredMade() throws Exception {
    try (Meeting meeting =
        new Meeting(
            FlySimConfig.standard().withViewers(NoViewers::new),
            config -> config.pacing(PACE).retry(RetryRule.USUAL))) {
      List<FlyApp> apps = apps(meeting);
      value(meeting.sim.faults().switches(new JsonObject(LIMITS)));
      lie(meeting);
      List<Future<Created>> calls = new ArrayList<>();
      Set<String> wanted = new TreeSet<>();
      for (int i = 0; i < MACHINES_EACH; i++) {
        for (FlyApp app : apps) {
          CreateMachine order = CreateMachine.of("wp-" + app.name() + "-" + i, "iad", CONFIG);
          wanted.add(order.name());
          calls.add(app.create(order));
        }
      }
      Set<String> got = new TreeSet<>();
      int adopted = 0;
      for (Future<Created> call : calls) {
        Created created = value(call);
        got.add(created.machine().id());
        adopted += created.adopted() ? 1 : 0;
      }
      assertThat(wanted).hasSize(APPS * MACHINES_EACH);
      List<JsonObject> truth = meeting.truth();
      assertThat(truth).extracting(machine -> machine.getString("name")).hasSameSizeAs(wanted);
      assertThat(names(truth)).isEqualTo(wanted);
      assertThat(got)
          .as("ids told to the callers")
          .isEqualTo(
              truth.stream().map(machine -> machine.getString("id")).collect(Collectors.toSet()));
      thereWasTrouble(meeting, adopted);
    }
  }

  private static Set<String> names(List<JsonObject> machines) {
    return machines.stream()
        .map(machine -> machine.getString("name"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<FlyApp> apps(Meeting meeting) throws Exception {
    List<FlyApp> apps = new ArrayList<>();
    for (int i = 0; i < APPS; i++) {
      String name = "pool-" + i;
      value(meeting.fly.createApp(new NewApp(name, FlySimConfig.ORG, "")));
      apps.add(meeting.fly.app(name));
    }
    return apps;
  }

  private static void lie(Meeting meeting) throws Exception {
    String births = "\"actions\":[\"create\"],";
    String lists = "\"actions\":[\"list\"],";
    meeting.fault("ambiguous_create", births + "\"answer\":\"408\",\"probability\":0.15");
    meeting.fault("ambiguous_create", births + "\"answer\":\"504\",\"probability\":0.15");
    meeting.fault("ambiguous_create", births + "\"answer\":\"reset\",\"probability\":0.15");
    meeting.fault("rate_limit", births + "\"probability\":0.03");
    meeting.fault("rate_limit", lists + "\"probability\":0.03");
    meeting.fault("empty_list", lists + "\"probability\":0.4");
    meeting.fault("stale_list", lists + "\"ms\":3000,\"probability\":0.4");
    meeting.fault("connection_reset", births + "\"probability\":0.05");
  }

  /** Else the test would prove nothing. */
  private static void thereWasTrouble(Meeting meeting, int adopted) throws Exception {
    assertThat(adopted).as("adopted").isGreaterThan(20);
    assertThat(meeting.arrived("create")).as("creates").isGreaterThan(APPS * MACHINES_EACH);
    for (int status : List.of(0, 408, 409, 429, 504)) {
      assertThat(meeting.answers(status)).as("answers %s", status).isPositive();
    }
  }
}
