// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.RegionReport;
import cupbear.scheduler.model.ReplicaId;
import cupbear.scheduler.model.ReplicaReport;
import cupbear.scheduler.model.StoreState;
import cupbear.scheduler.model.Waiter;
import java.util.List;
import java.util.Set;

/** Getting over lost data, in the words that its contracts share. */
abstract class LossContract extends StoreContract {
  static final ReplicaId DEAD = new ReplicaId("dead");

  Waiter waiterOf(Grant grant) {
    var again = (ClaimResult.Granted) claim(request(grant.key()));
    assertThat(again.grant().epoch()).isGreaterThan(new Epoch(0));
    return new Waiter(grant.session(), lastMark());
  }

  StoreState report(StoreFixture.Replica who, ReplicaId self, Set<ReplicaId> peers) {
    return report(who, self, peers, List.of());
  }

  StoreState report(
      StoreFixture.Replica who, ReplicaId self, Set<ReplicaId> peers, List<Grant> grants) {
    return get(who.recovery().report(POOL, new ReplicaReport(self, peers, grants)));
  }

  /** One replica is all there is, and these sessions ended through it. */
  void recoverWithEnded(List<Grant> ended) {
    get(a.recovery().state(POOL));
    get(a.recovery().report(POOL, new ReplicaReport(A, Set.of(A), List.of(), ended)));
    reopen(List.of(), Set.of());
  }

  void recoverWith(StoreFixture.Replica who, List<Grant> grants) {
    recoverWith(who, grants, List.of(), Set.of());
  }

  /** One replica is all there is: it reports, and leads both regions. */
  void recoverWith(
      StoreFixture.Replica who, List<Grant> grants, List<Booked> remembered, Set<MachineId> inUse) {
    get(who.recovery().state(POOL));
    report(who, A, Set.of(A), grants);
    a = who;
    reopen(remembered, inUse);
  }

  void reopen(List<Booked> remembered, Set<MachineId> inUse) {
    iad = leads(a, A, IAD);
    lhr = leads(a, A, LHR);
    get(a.recovery().report(iad, new RegionReport(remembered, inUse)));
    get(a.recovery().report(lhr, new RegionReport(List.of(), Set.of())));
  }
}
