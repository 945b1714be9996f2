// SPDX-License-Identifier: Apache-2.0
package cupbear.load.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.load.BenchLine;
import cupbear.scheduler.adapter.fly.FlyList;
import cupbear.scheduler.core.Reconciler;
import cupbear.scheduler.model.Action;
import cupbear.scheduler.model.Listed;
import cupbear.scheduler.model.Plan;
import cupbear.scheduler.model.Policy;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** That it measures what it says; how fast that is, is for no test to say. */
class ReconcileBenchCommandTest {
  private final BenchLine line = new BenchLine();

  @Test
  void everySizeIsReadAndPlanned() {
    int exit = line.run("bench", "reconcile", "--machines", "10,40", "--rounds", "2", "-o", "json");
    assertThat(exit).as(line.err()).isZero();
    JsonObject json = new JsonObject(line.out());
    for (String what : List.of("parse", "plan")) {
      assertThat(json.getJsonArray(what))
          .extracting(each -> ((JsonObject) each).getInteger("machines"))
          .containsExactly(10, 40);
      JsonObject last = json.getJsonArray(what).getJsonObject(1);
      assertThat(last.getDouble("millis")).isPositive();
      assertThat(last.getDouble("cpu_millis")).isPositive();
      assertThat(last.getLong("allocated_bytes")).isPositive();
      assertThat(last.getDouble("time_growth")).isPositive();
      assertThat(last.getDouble("memory_growth")).isPositive();
    }
    assertThat(json.getInteger("rounds")).isEqualTo(2);
  }

  @Test
  void forPeopleThereIsATable() {
    assertThat(line.run("bench", "reconcile", "--machines", "5", "--rounds", "1")).isZero();
    assertThat(line.out()).contains("read list", "plan", "in proportion");
  }

  @Test
  void benchAloneNamesItsParts() {
    assertThat(line.run("bench")).isEqualTo(2);
    assertThat(line.err()).contains("assign", "probe", "reconcile", "startup");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--machines=0", "--machines=100,100", "--machines=9,5", "--rounds=0"})
  void wrongNumbersAreRefusedWithWhatToGive(String wrong) {
    assertThat(line.run("bench", "reconcile", wrong)).isEqualTo(2);
    assertThat(line.err()).contains("give");
  }

  @Test
  void theListIsAsLargeAsRealOnesAndAllOfItIsOurs() throws IOException {
    byte[] body = ListBody.of(50);
    assertThat(body.length / 50).isBetween(1_800, 2_100);
    List<Listed> read = FlyList.read(body, ListBody.MANAGED_BY);
    assertThat(read).hasSize(50).allMatch(Listed::ours);
    assertThat(read).extracting(Listed::id).doesNotHaveDuplicates().contains(Fleet.id(49));
    assertThat(read.getFirst().exitedAt()).as("asked for").isNull();
  }

  @Test
  void thePlanFindsTheMachinesInTroubleAndLeavesTheOthersAlone() {
    for (int size : List.of(10, 1_000)) {
      Fleet fleet = Fleet.of(size);
      Plan plan = Reconciler.plan(fleet.seen(), fleet.desired(), Policy.DEFAULT, fleet.now());
      assertThat(plan.actions())
          .as("of %d", size)
          .extracting(Action::on)
          .containsExactlyInAnyOrder(Fleet.id(0).value(), Fleet.id(1).value(), Fleet.id(2).value());
    }
  }
}
