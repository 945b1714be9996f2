// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.memory;

import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.ClaimRequest;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionView;
import cupbear.scheduler.model.SessionView.Ended;
import cupbear.scheduler.model.SessionView.Stage;
import cupbear.scheduler.model.Terms;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One session: the hash {@code session:<id>}. Changed only inside a {@link Step}. */
final class SessionRow {
  final SessionId id;
  final Caller caller;
  final String tenant;
  final String key;
  final String fingerprint;

  /** Where it may have a Machine, best first. */
  final List<Region> regions;

  /** Those it asked under: for a grant in a step that brings none along. */
  final Terms terms;

  /** Since when it waits, for its first Machine or for another one. */
  Instant waitingSince;

  /** The newest call with its key. */
  String mark;

  /** More than one call has asked for it: whichever of them ends, another may have delivered it. */
  boolean shared;

  Stage stage = Stage.WAITING;

  /** Its moment in {@link Sessions}' calendar; while it has a Machine, the end of its lease. */
  Instant due;

  @Nullable Grant grant;

  /** Its Machine is another one than before, and nobody has used the new epoch yet. */
  boolean untold;

  @Nullable Instant startedAt;
  @Nullable Instant confirmedAt;
  @Nullable Instant lostAt;
  @Nullable Ended ended;

  SessionRow(ClaimRequest request, Instant now) {
    this.id = request.proposed().session();
    this.caller = request.caller();
    this.tenant = request.tenant();
    this.key = request.key();
    this.fingerprint = request.fingerprint();
    this.regions = request.regions();
    this.terms = request.terms();
    this.mark = request.proposed().mark();
    this.waitingSince = now;
    this.due = now.plus(request.patience());
  }

  /** One that the store had lost. Its tenant and its other regions are gone for good. */
  SessionRow(Grant grant, Instant now) {
    this.id = grant.session();
    this.caller = grant.caller();
    this.tenant = grant.caller().id();
    this.key = grant.key();
    this.fingerprint = grant.fingerprint();
    this.regions = List.of(grant.region());
    this.terms = Terms.DEFAULT;
    this.mark = "";
    this.waitingSince = grant.grantedAt().minus(grant.waited());
    this.startedAt = grant.grantedAt();
    this.due = now;
  }

  private SessionRow(SessionRow other) {
    this.id = other.id;
    this.caller = other.caller;
    this.tenant = other.tenant;
    this.key = other.key;
    this.fingerprint = other.fingerprint;
    this.regions = other.regions;
    this.terms = other.terms;
    this.mark = other.mark;
    this.shared = other.shared;
    this.waitingSince = other.waitingSince;
    this.stage = other.stage;
    this.due = other.due;
    this.grant = other.grant;
    this.untold = other.untold;
    this.startedAt = other.startedAt;
    this.confirmedAt = other.confirmedAt;
    this.lostAt = other.lostAt;
    this.ended = other.ended;
  }

  SessionRow copy() {
    return new SessionRow(this);
  }

  /** Another call with its key, or the same one again. */
  void askedBy(String call) {
    shared = shared || !call.equals(mark);
    mark = call;
  }

  /** Once connected, or with another Machine before, or asked for by several calls. */
  boolean mayBeDelivered() {
    return stage != Stage.GRANTED || confirmedAt != null || untold || shared;
  }

  boolean isLive() {
    return stage != Stage.ENDED;
  }

  /** Does it have a Machine that is not dead? */
  boolean hasMachine() {
    return stage == Stage.GRANTED || stage == Stage.CONNECTED;
  }

  Grant mustGrant() {
    if (grant == null) throw new IllegalStateException(id + " was never granted");
    return grant;
  }

  Epoch epoch() {
    return grant == null ? new Epoch(0) : grant.epoch();
  }

  /** However often it is renewed, this is the end. */
  Instant maxUntil(Duration maxSession) {
    return (startedAt == null ? waitingSince : startedAt).plus(maxSession);
  }

  void eraseCredentials() {
    Grant old = mustGrant();
    grant = sealed(old, null);
  }

  static Grant sealed(Grant old, @Nullable String sealed) {
    return new Grant(
        old.pool(),
        old.session(),
        old.caller(),
        old.key(),
        old.fingerprint(),
        old.machine(),
        old.region(),
        old.address(),
        old.epoch(),
        old.grantedAt(),
        old.waited(),
        old.confirmBy(),
        old.proof(),
        sealed);
  }

  SessionView view() {
    Instant leaseUntil = grant == null ? null : due;
    return new SessionView(
        id, caller, tenant, stage, grant, leaseUntil, confirmedAt, lostAt, ended);
  }
}
