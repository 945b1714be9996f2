// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.fly.FlyFailure.BadRequest;
import cupbear.fly.FlyFailure.Facts;
import cupbear.fly.FlyFailure.Forbidden;
import cupbear.fly.FlyFailure.LeaseHeld;
import cupbear.fly.FlyFailure.MachineLimit;
import cupbear.fly.FlyFailure.NameTaken;
import cupbear.fly.FlyFailure.NoCapacity;
import cupbear.fly.FlyFailure.NoCapacity.Scope;
import cupbear.fly.FlyFailure.NotFound;
import cupbear.fly.FlyFailure.Precondition;
import cupbear.fly.FlyFailure.Precondition.Reason;
import cupbear.fly.FlyFailure.RateLimited;
import cupbear.fly.FlyFailure.TimedOut;
import cupbear.fly.FlyFailure.Unauthorised;
import cupbear.fly.FlyFailure.Unavailable;
import cupbear.fly.FlyFailure.Unreachable;
import cupbear.fly.FlyFailure.Unreachable.Sent;
import cupbear.fly.FlyFailure.Unreadable;
import cupbear.fly.FlyFailure.VersionConflict;
import io.netty.channel.ConnectTimeoutException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What each answer of Fly means: its published errors, and those seen in the wild. */
class FailuresTest {

  record Row(
      String name, Action action, int status, String body, Function<Facts, FlyFailure> meaning) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> answers() {
    return Stream.of(plain(), conflicts(), preconditions(), capacity(), otherCapacity())
        .flatMap(rows -> rows);
  }

  private static Stream<Row> plain() {
    Action get = Action.GET_MACHINE;
    Action create = Action.CREATE_MACHINE;
    return Stream.of(
        row("bad JSON", create, 400, error("invalid_argument: x"), f -> new BadRequest(f, false)),
        row(
            "image not there yet",
            create,
            400,
            error("failed to get manifest x: MANIFEST_UNKNOWN"),
            f -> new BadRequest(f, true)),
        row(
            "bad token",
            get,
            401,
            error("Authenticate: token validation error"),
            Unauthorised::new),
        row("token for another app", get, 403, error("unauthorized"), Forbidden::new),
        row("no such Machine", get, 404, error("not_found: machine not found"), NotFound::new),
        row("plain text 404", get, 404, "404 page not found", NotFound::new),
        row(
            "wait in vain",
            Action.WAIT,
            408,
            error("deadline_exceeded: machine failed to reach desired state, started"),
            f -> new TimedOut(f, TimedOut.Where.AT_FLY)),
        row(
            "wait on an old version",
            Action.WAIT,
            408,
            error("deadline_exceeded: …, currently replaced"),
            VersionConflict::new),
        row("host silent", create, 408, "", f -> new TimedOut(f, TimedOut.Where.AT_FLY)),
        row("rate", get, 429, error("rate limit exceeded"), RateLimited::new),
        row("rate, plain text", get, 429, "rate limit exceeded", RateLimited::new),
        row("500", get, 500, error("internal"), f -> new Unavailable(f, Unavailable.Origin.FLY)),
        row("502 in HTML", get, 502, "<html>", f -> new Unavailable(f, Unavailable.Origin.FLY)),
        row("redirect", get, 302, "", Unreadable::new),
        row("405", get, 405, "", f -> new BadRequest(f, false)),
        row(
            "machine limit",
            create,
            422,
            error("Your organization has reached its machine limit. Please contact billing"),
            MachineLimit::new),
        row("other 422", create, 422, error("region required"), f -> new BadRequest(f, false)));
  }

  private static Stream<Row> conflicts() {
    Action start = Action.START;
    String lease =
        "machine ID 3d8d lease currently held by sched@tokens.fly.io,"
            + " expires at 2026-09-01T10:00:30Z";
    Function<Facts, FlyFailure> held =
        f -> new LeaseHeld(f, "sched@tokens.fly.io", Instant.parse("2026-09-01T10:00:30Z"));
    return Stream.of(
        row("lease, as error", start, 409, error(lease), held),
        row(
            "lease, as message",
            Action.ACQUIRE_LEASE,
            409,
            "{\"status\":\"error\",\"message\":\"" + lease + "\"}",
            held),
        row(
            "lease without a time",
            start,
            409,
            error("lease currently held by bob"),
            f -> new LeaseHeld(f, "bob", Instant.EPOCH)),
        row(
            "409 of a lease call in unknown words",
            Action.ACQUIRE_LEASE,
            409,
            error("nope"),
            f -> new LeaseHeld(f, "", Instant.EPOCH)),
        row(
            "name of a Machine",
            Action.CREATE_MACHINE,
            409,
            error(
                "already_exists: unique machine name violation, machine ID 3d8d413b29d089 already"
                    + " exists with name \\\"wp-1\\\""),
            f -> new NameTaken(f, "3d8d413b29d089")),
        row(
            "name of an app",
            Action.CREATE_APP,
            422,
            "{\"error\":\"Name has already been taken\",\"status\":\"name_taken\"}",
            f -> new NameTaken(f, "")),
        row(
            "concurrent update",
            start,
            409,
            error("aborted: machine update failed due to concurrent update"),
            VersionConflict::new),
        row(
            "update with an old version",
            Action.UPDATE_MACHINE,
            409,
            error("x"),
            VersionConflict::new),
        row(
            "already starting",
            start,
            409,
            error("aborted: machine still attempting to start"),
            f -> new Precondition(f, Reason.STILL_STARTING)),
        row(
            "impossible wait",
            Action.WAIT,
            409,
            error("x"),
            f -> new Precondition(f, Reason.OTHER)));
  }

  private static Stream<Row> preconditions() {
    Action start = Action.START;
    return Stream.of(
        row(
            "unpacking",
            start,
            412,
            failed("unable to start machine from current state: 'created'"),
            Reason.NOT_READY),
        row(
            "replacing",
            start,
            412,
            failed("machine getting replaced, refusing to start"),
            Reason.REPLACING),
        row(
            "reaping",
            start,
            412,
            failed("machine still active, refusing to start"),
            Reason.STILL_ACTIVE),
        row(
            "destroyed",
            start,
            412,
            failed("unable to start machine from current state: 'destroyed'"),
            Reason.OTHER),
        row("exec asleep", Action.EXEC, 412, failed("machine not running"), Reason.NOT_RUNNING),
        row(
            "delete awake",
            Action.DELETE_MACHINE,
            412,
            failed("unable to destroy machine, not currently stopped"),
            Reason.NOT_STOPPED),
        row(
            "delete awake, older",
            Action.DELETE_MACHINE,
            409,
            failed("unable to destroy machine, not currently stopped"),
            Reason.NOT_STOPPED),
        row(
            "stale metadata",
            Action.PATCH_METADATA,
            412,
            failed("machine_version"),
            VersionConflict::new),
        row(
            "volume in use",
            Action.CREATE_MACHINE,
            412,
            failed("volume already claimed"),
            Reason.OTHER));
  }

  private static Stream<Row> capacity() {
    Action start = Action.START;
    Action create = Action.CREATE_MACHINE;
    return Stream.of(
        row(
            "region by status",
            create,
            422,
            status("insufficient_capacity", "could not find"),
            Scope.REGION),
        row("region by text", create, 422, error("could not find a candidate host"), Scope.REGION),
        row("region at the end", start, 409, error("aborted: no capacity"), Scope.REGION),
        row(
            "CPUs",
            start,
            409,
            error(
                "aborted: could not reserve resource for machine: insufficient CPUs available to"
                    + " fulfill request"),
            Scope.HOST),
        row(
            "memory",
            start,
            409,
            error("insufficient memory available to fulfill request"),
            Scope.HOST),
        row("IPs", start, 409, error("insufficient IPs available to fulfill request"), Scope.HOST),
        row(
            "resources",
            start,
            409,
            error("insufficient resources available to fulfill request"),
            Scope.HOST),
        row(
            "on the current host",
            start,
            409,
            error("aborted: could not reserve resource for machine: x on the current host"),
            Scope.HOST),
        row("governor", start, 409, error("governor policy blocked start"), Scope.HOST),
        row(
            "host closed",
            start,
            409,
            error("deploys to this host are temporarily disabled"),
            Scope.HOST));
  }

  private static Stream<Row> otherCapacity() {
    Action start = Action.START;
    Action create = Action.CREATE_MACHINE;
    return Stream.of(
        row(
            "volume by status",
            create,
            412,
            status("volume_placement_capacity", "x"),
            Scope.VOLUME),
        row(
            "volume by text",
            create,
            412,
            error("insufficient resources to create new machine with existing volume 'vol_1'"),
            Scope.VOLUME),
        row(
            "status outranks text",
            start,
            409,
            status("insufficient_capacity", "insufficient CPUs available to fulfill request"),
            Scope.REGION),
        row(
            "status unknown says nothing",
            start,
            409,
            status("unknown", "insufficient CPUs available to fulfill request"),
            Scope.HOST));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("answers")
  void everyAnswerHasAMeaning(Row row) {
    Failures.Words words = Failures.Words.of(row.body().getBytes(StandardCharsets.UTF_8));
    Facts facts =
        Facts.about(row.action(), "viewers", "3d8d").answered(row.status(), "01REQ", words.text());
    assertThat(Failures.classify(facts, words)).isEqualTo(row.meaning().apply(facts));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("answers")
  void everyFailureSaysWhatToDo(Row row) {
    Facts facts =
        Facts.about(row.action(), "viewers", "3d8d").answered(row.status(), "01REQ", "words");
    FlyFailure failure = row.meaning().apply(facts);
    assertThat(failure.advice()).hasSizeGreaterThan(10).endsWith(".");
    assertThat(failure.sentence())
        .contains(row.action().label(), "3d8d", "viewers", "HTTP " + row.status(), "01REQ")
        .contains(failure.advice());
    assertThat(failure.with(facts)).isEqualTo(failure);
  }

  record Broken(String name, Throwable cause, Sent sent) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Broken> breaks() {
    return Stream.of(
        new Broken("refused", new ConnectException("refused"), Sent.NO),
        new Broken("connect timeout", new ConnectTimeoutException("slow"), Sent.NO),
        new Broken("no such host", new UnknownHostException("_api.internal"), Sent.NO),
        new Broken("wrapped", new RuntimeException(new UnknownHostException("x")), Sent.NO),
        new Broken("handshake", new SSLHandshakeException("bad certificate"), Sent.NO),
        new Broken("reset", new SocketException("Connection reset"), Sent.MAYBE),
        new Broken("closed", new IOException("Connection was closed"), Sent.MAYBE));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("breaks")
  void aBreakTellsWhetherFlyCanHaveSeenIt(Broken row) {
    Facts facts = Facts.about(Action.START, "viewers", "3d8d");
    assertThat(Failures.broken(facts, row.cause()))
        .isInstanceOfSatisfying(
            Unreachable.class, failure -> assertThat(failure.sent()).isEqualTo(row.sent()));
  }

  private static Row row(
      String name, Action action, int status, String body, Function<Facts, FlyFailure> meaning) {
    return new Row(name, action, status, body, meaning);
  }

  private static Row row(String name, Action action, int status, String body, Reason reason) {
    return new Row(name, action, status, body, facts -> new Precondition(facts, reason));
  }

  private static Row row(String name, Action action, int status, String body, Scope scope) {
    return new Row(name, action, status, body, facts -> new NoCapacity(facts, scope));
  }

  private static String error(String text) {
    return "{\"error\":\"" + text + "\"}";
  }

  private static String failed(String text) {
    return error("failed_precondition: " + text);
  }

  private static String status(String status, String text) {
    return "{\"error\":\"" + text + "\",\"status\":\"" + status + "\"}";
  }
}
