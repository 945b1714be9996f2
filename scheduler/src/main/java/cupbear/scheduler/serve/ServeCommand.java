// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.serve;

import com.fasterxml.jackson.databind.ObjectMapper;
import cupbear.scheduler.cli.BuildInfo;
import cupbear.scheduler.cli.CupbearCommand;
import cupbear.scheduler.cli.ExitCode;
import cupbear.scheduler.config.Configuration;
import cupbear.scheduler.config.CurrentSettings;
import cupbear.scheduler.telemetry.Logs;
import cupbear.scheduler.telemetry.Telemetry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cupbear serve}: one scheduler, until SIGTERM drains it. */
@Command(
    name = "serve",
    description = "Run the scheduler: SIGHUP reads the settings again, SIGTERM drains it.",
    mixinStandardHelpOptions = true,
    versionProvider = CupbearCommand.Version.class,
    sortOptions = false)
public final class ServeCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);

  /** Start-up asks Redis and Fly, each within its own deadline; this is for neither answering. */
  private static final long START_WITHIN_S = 60;

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      required = true,
      description = "the settings; see ops/cupbear.example.yaml")
  private Path file = Path.of("");

  @Option(
      names = "--ready-file",
      paramLabel = "FILE",
      description = "written once it serves: JSON with api, ops, replica and pid")
  private @Nullable Path readyFile;

  @Option(
      names = "--ends-with",
      paramLabel = "PID",
      description = "drains when that process ends; for those who start schedulers")
  private @Nullable Long endsWith;

  @Spec private CommandSpec spec = CommandSpec.create();

  private final CountDownLatch end = new CountDownLatch(1);
  private final Map<String, String> environment;

  public ServeCommand() {
    this(System.getenv());
  }

  ServeCommand(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  @Override
  public Integer call() throws Exception {
    return switch (Configuration.load(file, environment)) {
      case Configuration.Invalid invalid ->
          refuse(invalid.problems().stream().map(Object::toString).toList());
      case Configuration.Valid valid -> serve(valid);
    };
  }

  private int serve(Configuration.Valid valid) throws Exception {
    if (!(Secrets.in(environment) instanceof Secrets.Found.All(Secrets secrets))) {
      return refuse(((Secrets.Found.Missing) Secrets.in(environment)).what());
    }
    Logs.forServer();
    BuildInfo build = BuildInfo.current();
    Telemetry telemetry =
        Telemetry.start(
            new Telemetry.Build(build.version(), build.commit(), build.java()), environment);
    Vertx vertx = telemetry.vertx().build();
    try {
      CurrentSettings settings =
          new CurrentSettings(valid, () -> Configuration.load(file, environment));
      Outfit outfit = Outfit.of(vertx, telemetry, settings, secrets, environment);
      List<String> refusals = await(StartupChecks.of(outfit).run());
      if (!refusals.isEmpty()) {
        await(outfit.close());
        return refuse(refusals);
      }
      Replica replica = await(Replica.start(outfit).recover(failure -> closed(outfit, failure)));
      listenToSignals(replica);
      ready(replica);
      end.await();
      await(replica.drain());
      say("drained");
      return ExitCode.OK;
    } finally {
      await(vertx.close());
    }
  }

  /** What did not become a replica leaves nothing running either. */
  private static <T> Future<T> closed(Outfit outfit, Throwable failure) {
    return outfit.close().transform(any -> Future.failedFuture(failure));
  }

  /** Ends the command as SIGTERM would. */
  void end() {
    end.countDown();
  }

  private void listenToSignals(Replica replica) {
    if (!OsSignals.on("HUP", () -> Reloading.run(replica.settings()))) {
      LOG.atWarn()
          .addKeyValue("signal", "HUP")
          .addKeyValue("next", "let it read new settings with cupbear reload")
          .log("not heard by this process: was it started with nohup?");
    }
    for (String ending : List.of("TERM", "INT")) {
      if (!OsSignals.on(ending, this::end)) {
        LOG.atWarn().addKeyValue("signal", ending).log("not heard by this JVM: ends undrained");
      }
    }
    if (endsWith == null) return;
    ProcessHandle.of(endsWith).ifPresentOrElse(this::endWith, this::end);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // nothing in there can fail
  private void endWith(ProcessHandle parent) {
    parent.onExit().thenRun(this::end);
  }

  private void ready(Replica replica) throws IOException {
    var listen = replica.settings().get().listen();
    String api = url(listen.api().host(), replica.port());
    String ops = url(listen.ops().host(), replica.opsPort());
    LOG.atInfo()
        .addKeyValue("replica", replica.self())
        .addKeyValue("api", api)
        .addKeyValue("ops", ops)
        .log("serving");
    if (readyFile == null) return;
    Map<String, Object> words = new LinkedHashMap<>();
    words.put("api", api);
    words.put("ops", ops);
    words.put("replica", replica.self().value());
    words.put("pid", ProcessHandle.current().pid());
    // Whole or not at all: whoever waits for the file must not read half of it.
    Path partial = readyFile.resolveSibling(readyFile.getFileName() + ".partial");
    Files.write(partial, new ObjectMapper().writeValueAsBytes(words));
    Files.move(partial, readyFile, StandardCopyOption.ATOMIC_MOVE);
  }

  private static String url(String host, int port) {
    return "http://%s:%d".formatted(host.contains(":") ? "[" + host + "]" : host, port);
  }

  private int refuse(List<String> reasons) {
    PrintWriter err = spec.commandLine().getErr();
    reasons.forEach(err::println);
    err.println("cupbear serve: not started, for the reasons above");
    err.flush();
    return ExitCode.FAILED;
  }

  private void say(String line) {
    spec.commandLine().getOut().println(line);
    spec.commandLine().getOut().flush();
  }

  private static <T> T await(Future<T> future) throws IOException, InterruptedException {
    try {
      return future.toCompletionStage().toCompletableFuture().get(START_WITHIN_S, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      String why = e.getCause() == null ? e.toString() : String.valueOf(e.getCause().getMessage());
      throw new IOException(why, e);
    } catch (TimeoutException e) {
      throw new IOException("no answer within %d s".formatted(START_WITHIN_S), e);
    }
  }
}
