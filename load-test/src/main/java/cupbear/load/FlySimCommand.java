// SPDX-License-Identifier: Apache-2.0
package cupbear.load;

import cupbear.flysim.FlySim;
import cupbear.flysim.FlySimConfig;
import cupbear.flysim.world.Token;
import cupbear.scheduler.cli.ExitCode;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cupbear fly-sim}: the Fly simulator alone, until Ctrl-C or SIGTERM. */
@Command(
    name = "fly-sim",
    description = "Simulate the Fly Machines API here, with its traps.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class FlySimCommand implements Callable<Integer> {
  private static final long CLOSE_WITHIN_S = 15;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:4280",
      description = "where to listen; port 0 takes any free one (default ${DEFAULT-VALUE})")
  private String listen = "";

  @Option(
      names = "--app",
      paramLabel = "NAME",
      defaultValue = FlySimConfig.APP,
      description = "the app that is there from the start (default ${DEFAULT-VALUE})")
  private String app = "";

  @Option(
      names = "--speed",
      paramLabel = "N",
      defaultValue = "1",
      description = "how much faster than the real platform (default ${DEFAULT-VALUE})")
  private double speed;

  @Option(
      names = "--faults",
      paramLabel = "FILE",
      description = "JSON with faults, switches and latencies (docs/fly-sim.md)")
  private @Nullable Path faults;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "same seed and same calls, same world (default ${DEFAULT-VALUE})")
  private long seed;

  @Option(
      names = "--token",
      paramLabel = "T[@APP]",
      arity = "1..*",
      description = "who may call; @APP limits it to one app (default " + FlySimConfig.TOKEN + ")")
  private List<String> tokens = new ArrayList<>();

  @Option(
      names = "--allow-remote",
      description = "listen where others can reach it; it has no TLS and an open control API")
  private boolean allowRemote;

  @Spec private CommandSpec spec = CommandSpec.create();

  private final CountDownLatch ended = new CountDownLatch(1);

  @Override
  public Integer call() throws Exception {
    FlySimConfig config = config();
    Vertx vertx = Vertx.vertx();
    try {
      FlySim sim = started(vertx, config);
      CountDownLatch closed = new CountDownLatch(1);
      Thread onSignal = new Thread(() -> endAndAwait(closed), "fly-sim-end");
      Runtime.getRuntime().addShutdownHook(onSignal);
      try {
        greet(sim, config);
        ended.await();
        sim.close().toCompletionStage().toCompletableFuture().get(CLOSE_WITHIN_S, TimeUnit.SECONDS);
      } finally {
        closed.countDown();
      }
      return ExitCode.OK;
    } finally {
      vertx.close();
    }
  }

  /** Ends the command as a signal would; it returns when all is closed. */
  void end() {
    ended.countDown();
  }

  // The JVM dies when its shutdown hooks are done: this one stays until all is closed.
  private void endAndAwait(CountDownLatch closed) {
    end();
    try {
      if (!closed.await(CLOSE_WITHIN_S, TimeUnit.SECONDS)) {
        spec.commandLine().getErr().println("fly-sim did not close in time; it ends all the same");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static FlySim started(Vertx vertx, FlySimConfig config) throws Exception {
    try {
      return FlySim.start(vertx, config)
          .toCompletionStage()
          .toCompletableFuture()
          .get(CLOSE_WITHIN_S, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IllegalArgumentException wrong) {
        throw wrong;
      }
      throw new IOException(
          "cannot listen on %s:%d: %s. Choose another place with --listen, or port 0 for any."
              .formatted(config.host(), config.port(), e.getMessage()),
          e);
    }
  }

  private FlySimConfig config() {
    int colon = listen.lastIndexOf(':');
    String port = listen.substring(colon + 1);
    if (colon < 1 || !port.matches("\\d{1,5}") || Integer.parseInt(port) > 65_535) {
      throw wrong("--listen " + listen + " is not HOST:PORT, for example 127.0.0.1:4280");
    }
    String host = listen.substring(0, colon).replaceAll("^\\[|]$", "");
    requireLoopback(host);
    FlySimConfig config =
        FlySimConfig.standard()
            .withListen(host, Integer.parseInt(port))
            .withApp(app)
            .withSeed(seed)
            .withPreset(preset());
    try {
      config = config.withSpeed(speed);
    } catch (IllegalArgumentException e) {
      throw wrong("--speed: " + e.getMessage());
    }
    return tokens.isEmpty() ? config : config.withTokens(tokens.stream().map(this::token).toList());
  }

  private void requireLoopback(String host) {
    try {
      if (!allowRemote && !InetAddress.getByName(host).isLoopbackAddress()) {
        throw wrong(
            "--listen "
                + host
                + " can be reached by others, and the simulator has no TLS and an open control"
                + " API. Use 127.0.0.1, or add --allow-remote if that is what you want.");
      }
    } catch (UnknownHostException e) {
      throw wrong("--listen " + host + " is no address of this machine");
    }
  }

  private String preset() {
    if (faults == null) {
      return "";
    }
    try {
      return Files.readString(faults);
    } catch (IOException e) {
      throw wrong("--faults " + faults + " cannot be read: " + e.getMessage());
    }
  }

  private Token token(String text) {
    int at = text.lastIndexOf('@');
    String secret = at < 0 ? text : text.substring(0, at);
    if (secret.isBlank()) {
      throw wrong("--token '" + text + "' is empty; give a text, or text@app");
    }
    return at < 0
        ? Token.org(secret, FlySimConfig.ORG)
        : Token.app(secret, FlySimConfig.ORG, text.substring(at + 1));
  }

  private ParameterException wrong(String why) {
    return new ParameterException(spec.commandLine(), why);
  }

  private static void greet(PrintWriter out, String url, String token, String app) {
    out.printf("fly-sim listens on %s%n", url);
    out.printf("  token    %s%n", token);
    out.printf("  app      %s%n", app);
    out.printf("  control  %s/sim%n", url);
    out.printf("Try: curl -H 'Authorization: Bearer %s' %s/v1/apps/%s/machines%n", token, url, app);
    out.println("Ctrl-C ends it. Faults and all else: docs/fly-sim.md");
    out.flush();
  }

  private void greet(FlySim sim, FlySimConfig config) {
    Token first = config.world().tokens().getFirst();
    greet(spec.commandLine().getOut(), sim.url(), first.secret(), app);
  }
}
