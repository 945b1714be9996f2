// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.ClaimRequest;
import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.Grant;
import cupbear.scheduler.model.LoseResult;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.Mandate;
import cupbear.scheduler.model.Marks;
import cupbear.scheduler.model.Move;
import cupbear.scheduler.model.Moved;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Proof;
import cupbear.scheduler.model.ProveResult;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.RegionReport;
import cupbear.scheduler.model.ReplicaId;
import cupbear.scheduler.model.ReplicaReport;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.model.SessionResult;
import cupbear.scheduler.model.SessionView;
import cupbear.scheduler.model.Snapshot;
import cupbear.scheduler.model.StoreState;
import cupbear.scheduler.model.Terms;
import cupbear.scheduler.model.WaitResult;
import cupbear.scheduler.model.Waiter;
import cupbear.scheduler.port.Book;
import cupbear.scheduler.port.Claims;
import cupbear.scheduler.port.Journal;
import cupbear.scheduler.port.Leadership;
import cupbear.scheduler.port.Recovery;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The store's five ports of one scheduler: the real in-memory ones, or those behind a wire. */
record StorePorts(
    Claims claims, Book book, Recovery recovery, Leadership leadership, Journal journal) {

  /** What a leader asks for, and by which right. */
  record Signed(Mandate mandate, Object what) {}

  /** The same ports at the far end of a wire. */
  StorePorts behind(StoreWire wire) {
    return new StorePorts(
        new WiredClaims(claims, wire),
        new WiredBook(book, wire),
        new WiredRecovery(recovery, wire),
        new WiredLeadership(leadership, wire),
        new WiredJournal(journal, wire));
  }

  private record WiredClaims(Claims near, StoreWire wire) implements Claims {
    @Override
    public Future<ClaimResult> claim(ClaimRequest request) {
      return wire.call("claim", request, () -> near.claim(request));
    }

    @Override
    public Future<WaitResult> look(PoolName pool, Waiter waiter) {
      return wire.call("look", waiter, () -> near.look(pool, waiter));
    }

    @Override
    public Future<WaitResult> leave(PoolName pool, Waiter waiter, WaitResult.Leaving why) {
      return wire.call("leave", waiter, () -> near.leave(pool, waiter, why));
    }

    @Override
    public Future<SessionResult> confirm(SessionCall call) {
      return wire.call("confirm", call, () -> near.confirm(call));
    }

    @Override
    public Future<SessionResult> renew(SessionCall call, Epoch epoch, @Nullable Grant receipt) {
      return wire.call("renew", call, () -> near.renew(call, epoch, receipt));
    }

    @Override
    public Future<SessionResult> release(SessionCall call) {
      return wire.call("release", call, () -> near.release(call));
    }

    @Override
    public Future<SessionResult> fail(SessionCall call, Blame blame) {
      return wire.call("fail", call, () -> near.fail(call, blame));
    }

    @Override
    public Future<Optional<SessionView>> session(PoolName pool, SessionId session) {
      return wire.call("session", session, () -> near.session(pool, session));
    }

    @Override
    public Future<List<SessionView>> sessions(PoolName pool, @Nullable Caller caller) {
      return wire.call("sessions", pool, () -> near.sessions(pool, caller));
    }

    @Override
    public void onGrant(Consumer<Grant> listener) {
      near.onGrant(wire.hear(listener));
    }
  }

  private record WiredBook(Book near, StoreWire wire) implements Book {
    @Override
    public Future<Snapshot> snapshot(PoolName pool, Region region) {
      return wire.call("snapshot", region, () -> near.snapshot(pool, region));
    }

    @Override
    public Future<Moved> move(Mandate mandate, Move move) {
      return wire.call("move", new Signed(mandate, move), () -> near.move(mandate, move));
    }

    @Override
    public Future<ProveResult> prove(Mandate mandate, Proof proof, Terms terms) {
      return wire.call(
          "prove", new Signed(mandate, proof), () -> near.prove(mandate, proof, terms));
    }

    @Override
    public Future<Void> vouch(Mandate mandate, List<Proof> proofs) {
      return wire.call("vouch", new Signed(mandate, proofs), () -> near.vouch(mandate, proofs));
    }

    @Override
    public Future<LoseResult> lose(
        Mandate mandate, MachineId machine, SessionId session, Epoch epoch, Terms terms) {
      return wire.call(
          "lose",
          new Signed(mandate, machine),
          () -> near.lose(mandate, machine, session, epoch, terms));
    }

    @Override
    public Future<List<SessionView>> expire(Mandate mandate, Terms terms) {
      return wire.call("expire", new Signed(mandate, terms), () -> near.expire(mandate, terms));
    }

    @Override
    public Future<Void> mark(
        PoolName pool, Region region, @Nullable MachineId machine, Marks.Mark mark, boolean on) {
      return wire.call("mark", region, () -> near.mark(pool, region, machine, mark, on));
    }
  }

  private record WiredRecovery(Recovery near, StoreWire wire) implements Recovery {
    @Override
    public Future<StoreState> state(PoolName pool) {
      return wire.call("state", pool, () -> near.state(pool));
    }

    @Override
    public Future<StoreState> report(PoolName pool, ReplicaReport report) {
      return wire.call("report", report, () -> near.report(pool, report));
    }

    @Override
    public Future<StoreState> report(Mandate mandate, RegionReport report) {
      return wire.call("report", new Signed(mandate, report), () -> near.report(mandate, report));
    }
  }

  private record WiredLeadership(Leadership near, StoreWire wire) implements Leadership {
    @Override
    public Future<Optional<Mandate>> campaign(
        PoolName pool, Region region, ReplicaId self, Duration lease) {
      return wire.call("campaign", region, () -> near.campaign(pool, region, self, lease));
    }

    @Override
    public Future<Boolean> renew(Mandate mandate, ReplicaId self, Duration lease) {
      return wire.call("lead", new Signed(mandate, self), () -> near.renew(mandate, self, lease));
    }

    @Override
    public Future<Void> resign(Mandate mandate, ReplicaId self) {
      return wire.call("resign", mandate, () -> near.resign(mandate, self));
    }

    @Override
    public Future<Optional<ReplicaId>> leader(PoolName pool, Region region) {
      return wire.call("leader", region, () -> near.leader(pool, region));
    }

    @Override
    public Future<Set<ReplicaId>> hello(PoolName pool, ReplicaId self, Duration within) {
      return wire.call("hello", self, () -> near.hello(pool, self, within));
    }

    @Override
    public Future<Void> goodbye(PoolName pool, ReplicaId self) {
      return wire.call("goodbye", self, () -> near.goodbye(pool, self));
    }
  }

  private record WiredJournal(Journal near, StoreWire wire) implements Journal {
    @Override
    public Future<Void> append(PoolName pool, List<Entry> entries) {
      return wire.call("append", pool, () -> near.append(pool, entries));
    }

    @Override
    public Future<List<Entry>> after(PoolName pool, String after, int most) {
      return wire.call("after", pool, () -> near.after(pool, after, most));
    }

    @Override
    public void onEntry(PoolName pool, Consumer<Entry> listener) {
      near.onEntry(pool, wire.hear(listener));
    }
  }
}
