// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import static cupbear.scheduler.adapter.redis.Fields.millis;
import static cupbear.scheduler.adapter.redis.Fields.texts;

import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.ReplicaId;
import cupbear.scheduler.port.Leadership;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Leadership as one script: {@code lead}. Any thread. */
final class RedisLeadership implements Leadership {
  private static final Script LEAD = Script.named("lead");

  private final RedisStore store;

  RedisLeadership(RedisStore store) {
    this.store = store;
  }

  @Override
  public Future<Optional<Mandate>> campaign(
      PoolName pool, Region region, ReplicaId self, Duration lease) {
    return lead(pool, "campaign", region.code(), self.value(), millis(lease))
        .map(parts ->
            parts.getFirst().equals("won")
                ? Optional.of(new Mandate(pool, region, new Epoch(Long.parseLong(parts.get(1)))))
                : Optional.empty());
  }

  @Override
  public Future<Boolean> renew(Mandate mandate, ReplicaId self, Duration lease) {
    return under(mandate, "renew", self, lease).map(parts -> parts.getFirst().equals("1"));
  }

  @Override
  public Future<Void> resign(Mandate mandate, ReplicaId self) {
    return under(mandate, "resign", self, Duration.ZERO).mapEmpty();
  }

  @Override
  public Future<Optional<ReplicaId>> leader(PoolName pool, Region region) {
    return lead(pool, "leader", region.code(), "")
        .map(parts ->
            parts.getFirst().isEmpty()
                ? Optional.empty()
                : Optional.of(new ReplicaId(parts.getFirst())));
  }

  @Override
  public Future<Set<ReplicaId>> hello(PoolName pool, ReplicaId self, Duration within) {
    return lead(pool, "hello", millis(within), self.value())
        .map(parts -> parts.stream().map(ReplicaId::new).collect(Collectors.toUnmodifiableSet()));
  }

  @Override
  public Future<Void> goodbye(PoolName pool, ReplicaId self) {
    return lead(pool, "goodbye", "", self.value()).mapEmpty();
  }

  private Future<List<String>> under(Mandate mandate, String what, ReplicaId self, Duration lease) {
    return lead(
        mandate.pool(),
        what,
        mandate.region().code(),
        self.value(),
        millis(lease),
        mandate.epoch().toString());
  }

  private Future<List<String>> lead(PoolName pool, String... args) {
    return store.call(pool, LEAD, List.of(args)).map(reply -> texts(reply));
  }
}
