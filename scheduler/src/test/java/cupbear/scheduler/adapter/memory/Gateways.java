// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionResult;
import cupbear.scheduler.port.Claims;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/** What gateways hold to be true: the sessions they were given, and renew in time. */
final class Gateways {
  private static final Duration RENEW_EVERY = Duration.ofSeconds(17);

  private final Walker walker;
  private final Map<SessionId, Grant> held = new TreeMap<>();
  private final Map<SessionId, Instant> renewedAt = new TreeMap<>();

  Gateways(Walker walker) {
    this.walker = walker;
  }

  boolean holds(SessionId session) {
    return held.containsKey(session);
  }

  List<Grant> held() {
    return List.copyOf(held.values());
  }

  Optional<Grant> any(Random dice) {
    List<Grant> all = held();
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(dice.nextInt(all.size())));
  }

  /** It has to be renewed in time from the grant on, however late the answer came. */
  void delivered(Grant grant, MemoryConnection through) {
    held.put(grant.session(), grant);
    renewedAt.putIfAbsent(grant.session(), grant.grantedAt());
    walker.crew.remember(through, grant);
  }

  void drop(SessionId session) {
    held.remove(session);
    renewedAt.remove(session);
  }

  void renewAll() {
    for (Grant grant : new ArrayList<>(held.values())) {
      Instant last = renewedAt.getOrDefault(grant.session(), Instant.EPOCH);
      if (last.plus(RENEW_EVERY).isAfter(walker.now)) continue;
      String unused = renew(grant);
    }
  }

  String renew(Grant grant) {
    MemoryConnection through = walker.crew.anyone();
    Future<SessionResult> result =
        through.claims().renew(walker.call(grant.session()), grant.epoch(), grant);
    if (result.succeeded()) hear(grant, through, result.result());
    return "renew %s: %s".formatted(grant, Walker.said(result));
  }

  String confirm(Grant grant) {
    var result = walker.crew.anyone().claims().confirm(walker.call(grant.session()));
    if (result.succeeded() && result.result() instanceof SessionResult.Over) {
      drop(grant.session());
    }
    return "confirm %s: %s".formatted(grant, Walker.said(result));
  }

  String end(Grant grant) {
    boolean fail = walker.dice.nextInt(4) == 0;
    MemoryConnection through = walker.crew.anyone();
    var claims = through.claims();
    var call = walker.call(grant.session());
    var blame = new Claims.Blame(grant.epoch(), true, "black screen");
    var result = fail ? claims.fail(call, blame) : claims.release(call);
    if (result.succeeded()) {
      drop(grant.session());
      walker.crew.over(through, grant);
    }
    return "end %s: %s".formatted(grant, Walker.said(result));
  }

  /** Its user closed the lid: it does not use its Machine any more, and says nothing. */
  String fallSilent(Grant grant) {
    if (walker.dice.nextInt(3) != 0) return renew(grant);
    drop(grant.session());
    return grant + " falls silent";
  }

  void silence() {
    held.clear();
    renewedAt.clear();
  }

  private void hear(Grant grant, MemoryConnection through, SessionResult result) {
    switch (result) {
      case SessionResult.Alive alive -> {
        Grant current = alive.session().grant();
        if (current == null) throw new AssertionError("alive without a Machine: " + alive);
        delivered(current, through);
        renewedAt.put(grant.session(), walker.now);
      }
      case SessionResult.Over any -> drop(grant.session());
      case SessionResult.NotFound any -> drop(grant.session());
      // It waits for another Machine, and does not use the dead one.
      case SessionResult.Lost any -> drop(grant.session());
      case SessionResult.Stale stale -> throw new AssertionError(grant + " is " + stale);
    }
  }
}
