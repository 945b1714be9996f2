// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import cupbear.fly.FlyFailure.Facts;
import cupbear.fly.FlyFailure.LeaseHeld;
import cupbear.fly.FlyFailure.NotFound;
import cupbear.fly.FlyFailure.VersionConflict;
import cupbear.fly.Read.Ack;
import cupbear.fly.model.ExecCommand;
import cupbear.fly.model.ExecResult;
import cupbear.fly.model.GoDuration;
import cupbear.fly.model.Lease;
import cupbear.fly.model.Machine;
import cupbear.fly.model.MachineConfig;
import cupbear.fly.model.MachineEvent;
import cupbear.fly.model.MachineState.Kind;
import cupbear.fly.model.MachineVersion;
import cupbear.fly.model.Secret;
import cupbear.fly.model.Started;
import cupbear.fly.model.Stop;
import cupbear.fly.model.UpdateMachine;
import cupbear.fly.model.WaitFor;
import cupbear.fly.model.Waited;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** One Machine at Fly. A light view; make and drop it freely. */
public final class FlyMachine {

  private static final String NONCE = "fly-machine-lease-nonce";
  private static final Duration UPDATE = Duration.ofSeconds(30);
  private static final Duration UPDATE_CALL = Duration.ofMinutes(1);
  private static final Duration EXEC_SLACK = Duration.ofSeconds(10);
  private static final Duration WAIT_SLACK = Duration.ofSeconds(15);

  private final Engine engine;
  private final Terms terms;
  private final String app;
  private final String id;
  private final String nonce;

  FlyMachine(Engine engine, Terms terms, String app, String id) {
    this(engine, terms, app, id, "");
  }

  private FlyMachine(Engine engine, Terms terms, String app, String id, String nonce) {
    this.engine = engine;
    this.terms = terms;
    this.app = app;
    this.id = id;
    this.nonce = nonce;
  }

  public String id() {
    return id;
  }

  public FlyMachine within(Duration time) {
    return new FlyMachine(engine, terms.within(time), app, id, nonce);
  }

  public FlyMachine urgent() {
    return new FlyMachine(engine, terms.urgency(Urgency.URGENT), app, id, nonce);
  }

  /** The same Machine with our lease shown on every change. */
  public FlyMachine holding(Lease lease) {
    return new FlyMachine(engine, terms, app, id, lease.nonce());
  }

  /** Destroyed Machines are still answered for a while, as such. */
  public Future<Machine> get() {
    return engine.run(call(Action.GET_MACHINE, Read.as(Machine.class)).get(uri()));
  }

  public Future<Machine> getWithLease() {
    Uri where = uri().with("include_leases", true);
    return engine.run(call(Action.GET_MACHINE, Read.as(Machine.class)).get(where));
  }

  private record UpdateBody(MachineConfig config, String currentVersion, boolean skipLaunch) {}

  /** Replaces the whole configuration. With a version, a lost answer is looked up. */
  public Future<Machine> update(UpdateMachine order) {
    Call<Machine> call =
        call(Action.UPDATE_MACHINE, Read.as(Machine.class))
            .request("POST", uri())
            .sending(new UpdateBody(order.config(), order.currentVersion(), order.skipLaunch()))
            .taking(UPDATE, UPDATE_CALL);
    return engine.run(
        order.currentVersion().isEmpty()
            ? call
            : call.orLook((left, failure) -> looking(left, machine -> updated(order, machine))));
  }

  private Call.Found<Machine> updated(UpdateMachine order, Machine machine) {
    if (machine.instanceId().equals(order.currentVersion())) {
      return new Call.NotDone<>();
    }
    MachineConfig now = machine.config();
    boolean ours =
        now != null
            && now.image().equals(order.config().image())
            && now.env().equals(order.config().env());
    return ours
        ? new Call.Done<>(machine)
        : new Call.Refused<>(new VersionConflict(facts(Action.UPDATE_MACHINE)));
  }

  /** Accepted, not up yet. The known seconds after a stop are waited out. */
  public Future<Started> start() {
    return engine.run(
        call(Action.START, Read::started)
            .request("POST", uri("start"))
            .orLook((left, failure) -> looking(left, this::started)));
  }

  private Call.Found<Started> started(Machine machine) {
    if (machine.state().is(Kind.DESTROYING, Kind.DESTROYED)) {
      return new Call.Refused<>(new NotFound(facts(Action.START)));
    }
    return machine.state().is(Kind.STARTING, Kind.STARTED)
        ? new Call.Done<>(new Started(machine.state(), false, ""))
        : new Call.NotDone<>();
  }

  /** Never undone by the restart policy. Gone is as good as stopped. */
  public Future<Void> stop(Stop how) {
    Call<Ack> call =
        call(Action.STOP, Read::ack)
            .request("POST", uri("stop"))
            .sending(how)
            .doneWhenGone(Ack.DONE)
            .orLook((left, failure) ->
                lookingFor(left, Kind.STOPPING, Kind.STOPPED, Kind.DESTROYING, Kind.DESTROYED));
    return engine.run(call).mapEmpty();
  }

  public Future<Void> suspend() {
    Call<Ack> call =
        call(Action.SUSPEND, Read::ack)
            .request("POST", uri("suspend"))
            .doneWhenGone(Ack.DONE)
            .orLook((left, failure) -> lookingFor(left, Kind.SUSPENDING, Kind.SUSPENDED));
    return engine.run(call).mapEmpty();
  }

  /** Never repeated by itself once sent. */
  public Future<Void> restart(Stop how) {
    Uri where =
        uri("restart")
            .with("timeout", how.timeout().isZero() ? "" : GoDuration.format(how.timeout()))
            .with("signal", how.signal());
    return engine.run(call(Action.RESTART, Read::ack).request("POST", where)).mapEmpty();
  }

  /** Never repeated by itself once sent. */
  public Future<Void> signal(String name) {
    return engine
        .run(
            call(Action.SIGNAL, Read::ack)
                .request("POST", uri("signal"))
                .sending(Map.of("signal", name)))
        .mapEmpty();
  }

  /** Never repeated by itself once sent. A command that fails is a result, not a failure. */
  public Future<ExecResult> exec(ExecCommand command) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("command", command.command());
    if (!command.stdin().isEmpty()) {
      body.put("stdin", command.stdin().use(Function.identity()));
    }
    body.put("timeout", command.timeout().toSeconds());
    if (!command.container().isEmpty()) {
      body.put("container", command.container());
    }
    Duration attempt = command.timeout().plus(EXEC_SLACK);
    Call<ExecResult> call =
        call(Action.EXEC, Read.as(ExecResult.class))
            .request("POST", uri("exec"))
            .sending(body)
            .taking(attempt, attempt.plus(EXEC_SLACK));
    call.secrets = List.of(command.stdin(), Secret.of(nonce));
    return engine.run(call);
  }

  /**
   * Waits for a state, in rounds of a minute at most, until the time of the call is over. Counts as
   * a long poll: it takes no place from other calls.
   */
  public Future<Waited> waitFor(WaitFor what) {
    Duration attempt = what.round().plus(WAIT_SLACK);
    Call<Waited> call =
        call(Action.WAIT, Read.as(Waited.class)).taking(attempt, attempt.plus(WAIT_SLACK));
    call.uri =
        limit -> {
          long left = limit.minusSeconds(1).toSeconds();
          long round = Math.clamp(left, 1, what.round().toSeconds());
          return uri("wait")
              .with("state", String.join(",", what.states()))
              .with("version", what.version())
              .with("from_event_id", what.fromEventId())
              .with("timeout", Long.toString(round))
              .toString();
        };
    return engine.run(call);
  }

  /** Takes it out of Fly Proxy; nothing changes for 6PN. */
  public Future<Void> cordon() {
    return engine.run(call(Action.CORDON, Read::ack).request("POST", uri("cordon"))).mapEmpty();
  }

  public Future<Void> uncordon() {
    return engine.run(call(Action.UNCORDON, Read::ack).request("POST", uri("uncordon"))).mapEmpty();
  }

  /** Empty when nobody holds it, or when there is no such Machine. */
  public Future<Optional<Lease>> lease() {
    Call.Reader<Optional<Lease>> reader = body -> Optional.of(Read.lease(body));
    return engine.run(
        call(Action.GET_LEASE, reader).get(uri("lease")).doneWhenGone(Optional.empty()));
  }

  private record LeaseBody(long ttl, String description) {}

  /**
   * @param description should be unique to the taker: it tells our own lease after a lost answer
   */
  public Future<Lease> acquireLease(Duration ttl, String description) {
    return engine.run(
        call(Action.ACQUIRE_LEASE, Read::lease)
            .request("POST", uri("lease"))
            .sending(new LeaseBody(ttl.toSeconds(), description))
            .orLook((left, failure) -> leased(left, description)));
  }

  private Future<Call.Found<Lease>> leased(Terms left, String description) {
    return on(left)
        .lease()
        .map(lease -> {
          if (lease.isEmpty()) {
            return new Call.NotDone<>();
          }
          Lease held = lease.get();
          boolean ours = !held.nonce().isEmpty() && held.description().equals(description);
          return ours
              ? new Call.Done<>(held)
              : new Call.Refused<>(
                  new LeaseHeld(facts(Action.ACQUIRE_LEASE), held.owner(), held.expires()));
        });
  }

  /** The same nonce, a new end. */
  public Future<Lease> refreshLease(Lease lease, Duration ttl) {
    return engine.run(
        holding(lease)
            .call(Action.REFRESH_LEASE, Read::lease)
            .request("POST", uri("lease"))
            .sending(new LeaseBody(ttl.toSeconds(), lease.description())));
  }

  /** A lease that is over already is as good as released. */
  public Future<Void> releaseLease(Lease lease) {
    return engine
        .run(
            holding(lease)
                .call(Action.RELEASE_LEASE, Read::ack)
                .request("DELETE", uri("lease"))
                .doneWhenGone(Ack.DONE))
        .mapEmpty();
  }

  /** Its metadata, key by key or all at once. */
  public FlyMetadata metadata() {
    return new FlyMetadata(this, engine);
  }

  /**
   * Newest first.
   *
   * @param limit at most 50
   */
  public Future<List<MachineEvent>> events(int limit) {
    Uri where = uri("events").with("limit", Integer.toString(Math.clamp(limit, 1, 50)));
    return engine.run(call(Action.LIST_EVENTS, Read.listOf(MachineEvent.class)).get(where));
  }

  public Future<List<MachineVersion>> versions() {
    return engine.run(
        call(Action.LIST_VERSIONS, Read.listOf(MachineVersion.class)).get(uri("versions")));
  }

  /**
   * Gone is as good as destroyed.
   *
   * @param force also when it runs
   */
  public Future<Void> delete(boolean force) {
    return engine
        .run(
            call(Action.DELETE_MACHINE, Read::ack)
                .request("DELETE", uri().with("force", force))
                .doneWhenGone(Ack.DONE))
        .mapEmpty();
  }

  Uri uri(String... more) {
    return Uri.of("apps", app, "machines", id).and(more);
  }

  <T> Call<T> call(Action action, Call.Reader<T> reader) {
    Call<T> call = new Call<>(action, app, id, reader).on(terms);
    if (action.changes() && !nonce.isEmpty()) {
      call.header(NONCE, nonce);
      call.secrets = List.of(Secret.of(nonce));
    }
    return call;
  }

  private Facts facts(Action action) {
    return Facts.about(action, app, id);
  }

  private FlyMachine on(Terms left) {
    return new FlyMachine(engine, left, app, id);
  }

  private <T> Future<Call.Found<T>> looking(Terms left, Function<Machine, Call.Found<T>> judge) {
    return on(left).get().map(judge);
  }

  private Future<Call.Found<Ack>> lookingFor(Terms left, Kind... wanted) {
    return this.<Ack>looking(
            left,
            machine ->
                machine.state().is(wanted) ? new Call.Done<>(Ack.DONE) : new Call.NotDone<>())
        .recover(cause ->
            FlyApp.isNotFound(cause)
                ? FlyApp.done(new Call.Done<>(Ack.DONE))
                : Future.failedFuture(cause));
  }
}
