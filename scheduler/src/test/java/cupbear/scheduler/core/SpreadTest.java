// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.ReplicaId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who should lead what, without talking about it. */
class SpreadTest {
  private static final PoolName POOL = new PoolName("viewers");
  private static final List<Region> REGIONS = Atlas.FLY.places().keySet().stream().toList();
  private static final Set<ReplicaId> THREE =
      Set.of(new ReplicaId("r1"), new ReplicaId("r2"), new ReplicaId("r3"));

  @Test
  void nobodyLeadsWhenNobodyLives() {
    assertThat(Spread.owner(POOL, REGIONS.getFirst(), Set.of())).isEmpty();
  }

  @Test
  void everyReplicaHasAShare() {
    Map<ReplicaId, Integer> shares = new HashMap<>();
    for (int pool = 0; pool < 20; pool++) {
      for (Region region : REGIONS) {
        Spread.owner(new PoolName("pool-" + pool), region, THREE)
            .ifPresent(owner -> shares.merge(owner, 1, Integer::sum));
      }
    }
    assertThat(shares.keySet()).isEqualTo(THREE);
    assertThat(shares.values()).allMatch(share -> share > 20 * REGIONS.size() / 5);
  }

  @Test
  void onlyTheShareOfOneThatLeavesMoves() {
    ReplicaId gone = new ReplicaId("r2");
    Set<ReplicaId> two = Set.of(new ReplicaId("r1"), new ReplicaId("r3"));
    for (Region region : REGIONS) {
      Optional<ReplicaId> before = Spread.owner(POOL, region, THREE);
      if (before.equals(Optional.of(gone))) continue;
      assertThat(Spread.owner(POOL, region, two)).isEqualTo(before);
    }
  }
}
