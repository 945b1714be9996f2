// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import cupbear.flysim.Viewers.ExecResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What is asked about or done inside one Machine: exec, signal, ps, events, versions. */
final class Inside {
  private static final int LONGEST_EXEC_S = 60;
  private static final int EVENTS_USUAL = 20;
  private static final int KILLED = 137;
  private static final Set<String> MORE_SIGNALS =
      Set.of("SIGABRT", "SIGALRM", "SIGFPE", "SIGILL", "SIGPIPE", "SIGSEGV", "SIGTRAP");

  private final Platform platform;
  private final Lifecycle lifecycle;
  private final Leases leases;

  Inside(Platform platform, Lifecycle lifecycle, Leases leases) {
    this.platform = platform;
    this.lifecycle = lifecycle;
    this.leases = leases;
  }

  /** Runs a command; that it failed is no failure of the call. */
  Future<Reply> exec(Request request) {
    Machine machine = request.machine();
    ObjectNode body = request.body();
    List<String> command = command(body);
    if (!Json.text(body, "container").isEmpty() && Json.flag(body, "machine")) {
      throw Errors.invalid("container and machine exclude each other");
    }
    long timeout = Json.number(body, "timeout", LONGEST_EXEC_S);
    if (timeout < 0 || timeout > LONGEST_EXEC_S) {
      throw Errors.invalid("timeout must be at most " + LONGEST_EXEC_S + " seconds");
    }
    if (platform.switches.execUnderLease() == Switches.Verdict.REFUSE) {
      leases.guard(request);
    }
    if (!machine.isRunning()) {
      throw Errors.notRunning();
    }
    Promise<Reply> promise = Promise.promise();
    platform
        .viewers
        .exec(machine.id, command, Json.text(body, "stdin"))
        .onComplete(done ->
            platform.timers.enter(() ->
                promise.complete(
                    done.succeeded()
                        ? Reply.ok(answer(done.result()))
                        : Errors.notRunning().reply())));
    return promise.future();
  }

  private static List<String> command(ObjectNode body) {
    List<String> words = new ArrayList<>();
    for (JsonNode word : body.path("command")) {
      words.add(word.asText());
    }
    String line = Json.text(body, "cmd");
    if (words.isEmpty() && !line.isBlank()) {
      return List.of("sh", "-c", line);
    }
    if (words.isEmpty()) {
      throw Errors.invalid("command is required");
    }
    return words;
  }

  private static ObjectNode answer(ExecResult result) {
    return Json.object()
        .put("exit_code", result.exitCode())
        .put("exit_signal", 0)
        .put("stdout", result.stdout())
        .put("stderr", result.stderr());
  }

  /** Only SIGKILL ends the simulated process; all others it takes calmly. */
  Reply signal(Request request) {
    JsonNode signal = request.body().path("signal");
    String name = signal.isInt() && signal.intValue() == 9 ? "SIGKILL" : signal.asText("");
    if (!ConfigRules.STOP_SIGNALS.contains(name) && !MORE_SIGNALS.contains(name)) {
      Set<String> known = new LinkedHashSet<>(ConfigRules.STOP_SIGNALS);
      known.addAll(MORE_SIGNALS);
      throw Errors.invalid("signal must be one of " + known);
    }
    if (!request.machine().isRunning()) {
      throw Errors.notRunning();
    }
    if (name.equals("SIGKILL")) {
      lifecycle.exited(request.machine(), new Exit(KILLED, false, false));
    }
    return Reply.done();
  }

  Reply ps(Request request) {
    Machine machine = request.machine();
    if (!machine.isRunning()) {
      throw Errors.notRunning();
    }
    boolean up = !platform.now().isBefore(machine.readyAt);
    List<ObjectNode> rows = new ArrayList<>();
    rows.add(process(1, "/fly/init", 8_000_000));
    if (up) {
      rows.add(listening(process(310, "guacd -f", 60_000_000), machine, machine.guacdPort));
      rows.add(listening(process(320, "xrdp --nodaemon", 90_000_000), machine, machine.rdpPort));
    }
    String sort = request.call().query("sort_by");
    if (sort.equals("rss")) {
      rows.sort((a, b) -> Long.compare(a.get("rss").asLong(), b.get("rss").asLong()));
    } else if (!List.of("", "pid", "cpu", "stime", "rtime").contains(sort)) {
      throw Errors.invalid("sort_by must be pid, rss, cpu, stime or rtime");
    }
    if (request.call().query("order").equals("desc")) {
      Collections.reverse(rows);
    }
    ArrayNode array = Json.array();
    rows.forEach(array::add);
    return Reply.ok(array);
  }

  private static ObjectNode process(int pid, String command, long rss) {
    ObjectNode row =
        Json.object()
            .put("pid", pid)
            .put("command", command)
            .put("directory", "/")
            .put("rss", rss)
            .put("cpu", 0)
            .put("stime", 0)
            .put("rtime", 0);
    row.putArray("listen_sockets");
    return row;
  }

  private static ObjectNode listening(ObjectNode row, Machine machine, int port) {
    if (port > 0) {
      String ip = machine.privateIp;
      String host = ip.contains(":") ? "[" + ip + "]" : ip;
      row.withArrayProperty("listen_sockets")
          .addObject()
          .put("proto", "tcp")
          .put("address", host + ":" + port);
    }
    return row;
  }

  Reply events(Request request) {
    String text = request.call().query("limit");
    if (!text.isEmpty() && !text.matches("\\d{1,6}")) {
      throw Errors.invalid("limit must be a whole number");
    }
    int limit = text.isEmpty() ? EVENTS_USUAL : Integer.parseInt(text);
    ArrayNode array = Json.array();
    request.machine().events.stream()
        .limit(Math.min(limit, Machine.EVENTS_KEPT))
        .forEach(event -> array.add(event.toJson()));
    return Reply.ok(array);
  }

  Reply versions(Request request) {
    ArrayNode array = Json.array();
    for (Machine.Version version : request.machine().versions.reversed()) {
      array
          .addObject()
          .put("version", version.instanceId())
          .set("user_config", version.config().deepCopy());
    }
    return Reply.ok(array);
  }
}
