// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import cupbear.fly.FlyFailure.Facts;
import cupbear.fly.model.Secret;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One request to Fly, ready to be carried out: where it goes, how its answer is read, and how to
 * find out whether it happened. Immutable once handed to the engine.
 */
final class Call<T> {

  /** Turns the body of a good answer into a value. */
  interface Reader<T> {
    /**
     * @throws RefusedInside when a 200 turns out to be a refusal
     */
    T read(byte[] body) throws IOException;
  }

  /** Finds out whether a request was carried out whose answer is lost. */
  interface Lookup<T> {
    Future<Found<T>> look(Terms terms, FlyFailure after);
  }

  sealed interface Found<T> {}

  record Done<T>(T value) implements Found<T> {}

  record NotDone<T>() implements Found<T> {}

  /** Not carried out, and no use in asking again. */
  record Refused<T>(FlyFailure failure) implements Found<T> {}

  /** A refusal that came as 200; treated as if Fly had answered 409. */
  static final class RefusedInside extends IOException {
    private static final long serialVersionUID = 1L;

    RefusedInside(String message) {
      super(message);
    }
  }

  final Action action;
  final String app;
  final String machine;
  final Reader<T> reader;
  String method = "GET";
  String paceBy;
  Function<Duration, String> uri = remaining -> "/";
  Buffer body = Buffer.buffer();
  Duration wire;
  Duration usual;
  Terms terms = Terms.USUAL;
  List<Secret> secrets = List.of();
  final Map<String, String> headers = new LinkedHashMap<>();
  private @Nullable Lookup<T> lookup;
  private @Nullable T whenGone;

  private static final Duration WIRE = Duration.ofSeconds(10);
  private static final Duration USUAL = Duration.ofSeconds(30);

  Call(Action action, String app, String machine, Reader<T> reader) {
    this.action = action;
    this.app = app;
    this.machine = machine;
    this.reader = reader;
    this.paceBy = machine.isEmpty() ? app : app + '/' + machine;
    this.wire = WIRE;
    this.usual = USUAL;
  }

  Call<T> get(Uri where) {
    return request("GET", where);
  }

  Call<T> request(String verb, Uri where) {
    this.method = verb;
    String fixed = where.toString();
    this.uri = remaining -> fixed;
    return this;
  }

  Call<T> sending(Object json) {
    this.body = Buffer.buffer(FlyJson.write(json));
    return this;
  }

  Call<T> header(String name, String value) {
    headers.put(name, value);
    return this;
  }

  /** How long one attempt may take, and how long the whole call when the caller does not say. */
  Call<T> taking(Duration attempt, Duration whole) {
    this.wire = attempt;
    this.usual = whole;
    return this;
  }

  Call<T> on(Terms given) {
    this.terms = given;
    return this;
  }

  Call<T> orLook(Lookup<T> finder) {
    this.lookup = finder;
    return this;
  }

  /** Not found is as good as done. */
  Call<T> doneWhenGone(T value) {
    this.whenGone = value;
    return this;
  }

  Optional<Lookup<T>> lookup() {
    return Optional.ofNullable(lookup);
  }

  Optional<T> whenGone() {
    return Optional.ofNullable(whenGone);
  }

  Urgency urgency() {
    return terms.urgencyOf(action);
  }

  Duration time() {
    return terms.timeFor(usual);
  }

  Facts facts() {
    return Facts.about(action, app, machine);
  }
}
