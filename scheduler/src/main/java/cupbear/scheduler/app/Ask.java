// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.ClaimRequest;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.Waiter;
import cupbear.scheduler.port.Meters;
import cupbear.scheduler.port.StoreTrouble;
import cupbear.scheduler.trace.Span;
import java.time.Duration;
import java.util.List;

/**
 * A session request with all that was settled before the store is asked.
 *
 * @param regions to try, best first; never empty
 * @param board tells how long a Machine takes to come up where
 * @param span the request as a whole
 */
record Ask(
    SessionRequest request,
    Caller caller,
    PoolSpec pool,
    List<Region> regions,
    RegionBoard board,
    Span span) {
  private static final Duration RETRY_LEAST = Duration.ofSeconds(1);
  private static final Duration STORE_RETRY = Duration.ofSeconds(2);

  PoolName name() {
    return pool.name();
  }

  Duration patience() {
    Duration asked = request.patience();
    return asked == null ? pool.serving().patience() : asked;
  }

  ClaimRequest claim(Waiter proposed, Duration left) {
    return new ClaimRequest(
        name(),
        caller,
        request.tenant(),
        request.key(),
        request.fingerprint(),
        proposed,
        regions,
        left,
        pool.terms());
  }

  /** For the books: this request and its answer. */
  Meters.Served served(Answer answer, Duration took) {
    Grant grant = answer instanceof Answer.Assigned assigned ? assigned.grant() : null;
    Region region = grant == null ? regions.getFirst() : grant.region();
    return new Meters.Served(name(), region, answer.outcome(), took, grant, span.traceId());
  }

  Answer noCapacity() {
    return new Answer.NoCapacity(retryAfter(), regions);
  }

  /**
   * When the next Machine may be there: as long as one takes to come up, where that is shortest.
   */
  Duration retryAfter() {
    Duration assumed = pool.policy().sizing().bootAssumed();
    Duration soonest =
        regions.stream()
            .map(region -> board.boot(name(), region).orElse(assumed))
            .min(Duration::compareTo)
            .orElse(assumed);
    return soonest.compareTo(RETRY_LEAST) < 0 ? RETRY_LEAST : soonest;
  }

  static Answer storeDown() {
    return new Answer.StoreDown(STORE_RETRY);
  }

  /** What a caller hears when the store could not be asked. */
  static Answer withoutStore(Throwable failure) {
    boolean rebuilding =
        failure instanceof StoreTrouble trouble && trouble.kind() == StoreTrouble.Kind.RECOVERING;
    return rebuilding ? new Answer.Recovering(STORE_RETRY) : storeDown();
  }
}
