// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import static cupbear.scheduler.adapter.redis.Fields.instant;
import static cupbear.scheduler.adapter.redis.Fields.millis;
import static cupbear.scheduler.adapter.redis.Fields.texts;

import cupbear.scheduler.model.Booked;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.MachineState.Assigned;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.RegionReport;
import cupbear.scheduler.model.ReplicaId;
import cupbear.scheduler.model.ReplicaReport;
import cupbear.scheduler.model.StoreState;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.port.Recovery;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Recovery as one script: {@code recover}. Any thread. */
final class RedisRecovery implements Recovery {
  private static final Script RECOVER = Script.named("recover");

  private final RedisStore store;

  RedisRecovery(RedisStore store) {
    this.store = store;
  }

  @Override
  public Future<StoreState> state(PoolName pool) {
    return recover(pool, List.of("state")).onSuccess(state -> store.seen(pool, state));
  }

  @Override
  public Future<StoreState> report(PoolName pool, ReplicaReport report) {
    List<String> args = new ArrayList<>();
    args.addAll(List.of("replica", report.replica().value()));
    args.add(report.peers().stream().map(ReplicaId::value).collect(Collectors.joining(",")));
    report.grants().stream()
        .sorted(Comparator.comparing(Grant::epoch))
        .forEach(grant -> args.addAll(grant(grant, "0")));
    report.ended().forEach(grant -> args.addAll(grant(grant, "1")));
    return recover(pool, args).onSuccess(state -> store.reported(pool, state));
  }

  private static List<String> grant(Grant grant, String over) {
    Terms terms = Terms.DEFAULT;
    return List.of(
        over,
        grant.session().value(),
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
        grant.sealed() == null ? "" : grant.sealed(),
        millis(terms.confirmWithin()),
        millis(terms.lease()),
        millis(terms.maxSession()),
        millis(terms.keyKept()));
  }

  @Override
  public Future<StoreState> report(Mandate mandate, RegionReport report) {
    List<String> args = new ArrayList<>();
    args.addAll(List.of("region", mandate.region().code(), mandate.epoch().toString()));
    args.add(
        report.taggedInUse().stream()
            .map(MachineId::value)
            .sorted()
            .collect(Collectors.joining(",")));
    report.remembered().stream()
        .filter(booked -> booked.region().equals(mandate.region()))
        .forEach(booked -> args.addAll(remembered(booked)));
    return recover(mandate.pool(), args);
  }

  private static List<String> remembered(Booked booked) {
    List<String> fields = RedisBook.remembered(booked);
    List<String> args = new ArrayList<>();
    args.add(booked.id().value());
    args.add(booked.state().standing().word());
    args.add(millis(booked.state().since()));
    args.add(booked.state() instanceof Assigned assigned ? assigned.epoch().toString() : "0");
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
