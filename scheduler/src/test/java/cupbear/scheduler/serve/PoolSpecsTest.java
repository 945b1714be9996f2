// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.serve;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.app.PoolSpec;
import cupbear.scheduler.config.Configuration;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.Terms;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every setting that those who serve need arrives at them. */
class PoolSpecsTest {
  private static final String YAML =
      """
      environment: demo
      fly: {app: my-viewers, org: acme}
      redis: {url: "redis://localhost:6379"}
      sessions: {lease: 30s, wait_default: 2s, wait_max: 9s, queue_max: 7, confirm_within: 11s}
      pools:
        viewers:
          template: {version: "7", image: viewer}
          labels: {gpu: "false"}
          ports: {guacd: 14822, rdp: 13389}
          failover: replace
          staging: {run: [stage, now], deadline: 7s}
          teardown:
            - {name: clean, run: [clean, all], deadline: 3s}
          health: {guacd_trust: 8s, rdp_trust: 20s}
          regions:
            lhr: {warm_min: 1, warm_max: 2}
            iad: {warm_min: 2, warm_max: 4}
      """;

  private static PoolSpec spec() {
    Configuration read = Configuration.read("cupbear.yaml", Path.of("etc"), YAML, Map.of());
    assertThat(read).isInstanceOf(Configuration.Valid.class);
    return PoolSpecs.of(((Configuration.Valid) read).settings()).getFirst();
  }

  @Test
  void thePlaceAndItsBounds() {
    PoolSpec spec = spec();
    assertThat(spec.app()).isEqualTo("my-viewers");
    assertThat(spec.labels()).isEqualTo(Map.of("gpu", "false"));
    assertThat(spec.firstRegion()).as("as declared").isEqualTo(new Region("lhr"));
    assertThat(spec.declaration(new Region("iad")).desired().bounds().warmMin()).isEqualTo(2);
    assertThat(spec.declaration(new Region("iad")).desired().tags())
        .containsEntry("managed_by", "cupbear/demo");
  }

  @Test
  void theTermsOfSessions() {
    Terms terms = spec().terms();
    assertThat(terms.lease()).isEqualTo(Duration.ofSeconds(30));
    assertThat(terms.renewWithin()).isEqualTo(Duration.ofSeconds(10));
    assertThat(terms.confirmWithin()).isEqualTo(Duration.ofSeconds(11));
    assertThat(terms.queueMax()).isEqualTo(7);
    assertThat(terms.failover()).isEqualTo(Terms.Failover.REPLACE);
  }

  @Test
  void howRequestsAreServed() {
    assertThat(spec().serving())
        .isEqualTo(
            new PoolSpec.Serving(
                Duration.ofSeconds(2),
                Duration.ofSeconds(9),
                Duration.ofSeconds(8),
                Duration.ofSeconds(20),
                14822,
                13389));
  }

  @Test
  void whatIsRunInMachines() {
    PoolSpec.Handling handling = spec().handling();
    assertThat(handling.staging().words()).isEqualTo(List.of("stage", "now"));
    assertThat(handling.staging().deadline()).isEqualTo(Duration.ofSeconds(7));
    assertThat(handling.playbook())
        .singleElement()
        .satisfies(step -> {
          assertThat(step.words()).isEqualTo(List.of("clean", "all"));
          assertThat(step.deadline()).isEqualTo(Duration.ofSeconds(3));
        });
  }
}
