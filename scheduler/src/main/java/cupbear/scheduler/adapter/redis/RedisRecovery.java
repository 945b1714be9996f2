// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import static cupbear.scheduler.adapter.redis.Fields.instant;
import static cupbear.scheduler.adapter.redis.Fields.millis;
import static cupbear.scheduler.adapter.redis.Fields.texts;

import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.RegionReport;
import cupbear.scheduler.model.ReplicaId;
import cupbear.scheduler.model.ReplicaReport;
import cupbear.scheduler.model.StoreState;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.port.Recovery;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Recovery as one script: {@code recover}. Any thread. */
final class RedisRecovery implements Recovery {
  private static final Script RECOVER = Script.named("recover");

  /** A session of a dead replica has renewed by then, or its answer was never delivered. */
  private static final Duration HELD = Terms.DEFAULT.renewWithin();

  /** And by then it is gone. */
  private static final Duration UNKNOWN_KEPT = Terms.DEFAULT.lease();

  private final RedisStore store;

  RedisRecovery(RedisStore store) {
    this.store = store;
  }

  @Override
  public Future<StoreState> state(PoolName pool) {
    return recover(pool, List.of("state", millis(HELD)));
  }

  @Override
  public Future<StoreState> report(PoolName pool, ReplicaReport report) {
    List<String> args = new ArrayList<>();
    args.addAll(List.of("replica", report.replica().value(), millis(HELD)));
    args.add(report.peers().stream().map(ReplicaId::value).collect(Collectors.joining(",")));
    report.grants().forEach(grant -> args.addAll(grant(grant)));
    return recover(pool, args);
  }

  private static List<String> grant(Grant grant) {
    Terms terms = Terms.DEFAULT;
    return List.of(
        grant.session().value(),
        grant.caller().id(),
        grant.caller().id(),
        grant.key(),
        grant.fingerprint(),
        grant.machine().value(),
        grant.region().code(),
        grant.address(),
        grant.epoch().toString(),
        millis(grant.grantedAt()),
        millis(grant.waited()),
        millis(grant.confirmBy()),
        millis(grant.proof().bootedAt()),
        millis(grant.proof().guacdAt()),
        millis(grant.proof().rdpAt()),
        grant.region().code(),
        millis(terms.confirmWithin()),
        millis(terms.lease()),
        millis(terms.maxSession()),
        millis(terms.keyKept()));
  }

  @Override
  public Future<StoreState> report(Mandate mandate, RegionReport report) {
    List<String> args = new ArrayList<>();
    args.addAll(List.of("region", mandate.region().code(), mandate.epoch().toString()));
    args.add(millis(UNKNOWN_KEPT));
    args.add(report.taggedInUse().stream().map(MachineId::value).collect(Collectors.joining(",")));
    report.remembered().forEach(booked -> args.addAll(remembered(booked)));
    return recover(mandate.pool(), args);
  }

  private static List<String> remembered(Booked booked) {
    List<String> fields = RedisBook.fields(booked);
    List<String> args = new ArrayList<>();
    args.add(booked.id().value());
    args.add(RedisBook.sortable(booked.template()));
    args.add(Integer.toString(fields.size()));
    args.addAll(fields);
    return args;
  }

  private Future<StoreState> recover(PoolName pool, List<String> args) {
    return store.call(pool, RECOVER, args).map(reply -> state(texts(reply)));
  }

  private static StoreState state(List<String> parts) {
    long generation = Long.parseLong(parts.get(1));
    return parts.getFirst().equals("ready")
        ? new StoreState.Ready(generation)
        : new StoreState.Recovering(generation, instant(parts.get(2)), instant(parts.get(3)));
  }
}
