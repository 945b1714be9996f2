// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli;

import cupbear.probe.Depth;
import cupbear.probe.ProbePipeline;
import cupbear.probe.ProbePlan;
import cupbear.probe.ProbeSettings;
import cupbear.probe.ProbeTarget;
import cupbear.probe.RdpSettings;
import cupbear.probe.TargetGuard;
import cupbear.probe.ViewerReport;
import cupbear.probe.ViewerRun;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code cupbear probe}: asks one viewer what the scheduler asks all of them, and shows every step.
 * Starts no session and logs nobody in, so it may be run on a viewer in use.
 */
@Command(
    name = "probe",
    description = "Ask a viewer's guacd and RDP server whether they really answer.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:ready", "1:not ready", "2:wrong usage"})
final class ProbeCommand implements Callable<Integer> {

  private static final List<String> USUAL = List.of(TargetGuard.SIX_PN, "127.0.0.0/8", "::1/128");
  private static final List<String> ANY = List.of("::/0", "0.0.0.0/0");
  private static final int ROUNDS_MAX = 1000;
  // Three questions of five seconds each at most; more than that is our own mistake.
  private static final long PATIENCE_SECONDS = 60;

  @Mixin private Output output = new Output();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "HOST",
      description = "the viewer's address, or a name that is resolved once")
  private String host = "";

  @Option(names = "--guacd-port", paramLabel = "PORT", description = "default: 4822")
  private int guacdPort = 4822;

  @Option(names = "--rdp-port", paramLabel = "PORT", description = "default: 3389")
  private int rdpPort = 3389;

  @Option(
      names = "--depth",
      paramLabel = "DEPTH",
      description = "how far to go with RDP: negotiate, tls, joins or login (default)")
  private Depth depth = Depth.LOGIN;

  @Option(names = "--count", paramLabel = "N", description = "how many rounds; default: 1")
  private int count = 1;

  @Option(
      names = "--any-address",
      description = "allow other addresses than this host's and Fly's private networks")
  private boolean anyAddress;

  @Override
  public Integer call() throws InterruptedException, ExecutionException, TimeoutException {
    ProbeLogging.quiet();
    if (count < 1 || count > ROUNDS_MAX) {
      throw usage("--count is %d; it must be from 1 to %d".formatted(count, ROUNDS_MAX));
    }
    TargetGuard guard = TargetGuard.onAnyPort(anyAddress ? ANY : USUAL);
    String address = allowed(guard);
    ProbeSettings standard = ProbeSettings.standard();
    RdpSettings rdp = RdpSettings.standard().withDepth(depth);
    PrintWriter out = spec.commandLine().getOut();
    List<ViewerReport> rounds = new ArrayList<>();
    try (ProbePipeline pipeline = new ProbePipeline(guard, standard.withRdp(rdp))) {
      for (int round = 0; round < count; round++) {
        ViewerReport report = ask(pipeline, address, round);
        rounds.add(report);
        if (!output.isJson()) ProbeText.round(out, round, report);
      }
    }
    ProbeView view = ProbeView.of(host, address, rounds);
    if (output.isJson()) Output.printJson(out, view);
    else ProbeText.verdict(out, view);
    return view.ready() ? ExitCode.OK : ExitCode.FAILED;
  }

  /** The RDP plugin is asked for in the first round only: guacd forks to answer. */
  private ViewerReport ask(ProbePipeline pipeline, String address, int round)
      throws InterruptedException, ExecutionException, TimeoutException {
    ProbeTarget target = new ProbeTarget(address, address, guacdPort, rdpPort);
    ProbePlan plan = new ProbePlan(true, round == 0, true, false);
    ViewerRun run = pipeline.probe(target, plan);
    run.closed().toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    return run.report().toCompletableFuture().get(1, TimeUnit.SECONDS);
  }

  /** The literal to dial: what is checked here is what is dialled, whatever DNS says later. */
  private String allowed(TargetGuard guard) {
    List<String> candidates = isLiteral() ? List.of(host) : resolved();
    String objection = "";
    for (String each : candidates) {
      objection = objection(guard, each);
      if (objection.isEmpty()) return each;
    }
    boolean wider = !anyAddress && objection.contains("outside");
    throw usage(wider ? objection + "; --any-address allows it" : objection);
  }

  private String objection(TargetGuard guard, String literal) {
    for (int port : new int[] {guacdPort, rdpPort}) {
      if (guard.check(literal, port) instanceof TargetGuard.Answer.Denied denied) {
        return denied.sentence();
      }
    }
    return "";
  }

  private boolean isLiteral() {
    return host.indexOf(':') >= 0 || host.matches("[0-9.]+");
  }

  private List<String> resolved() {
    try {
      List<String> found = new ArrayList<>();
      for (InetAddress each : InetAddress.getAllByName(host)) found.add(each.getHostAddress());
      return found;
    } catch (UnknownHostException e) {
      throw usage(host + " does not resolve; give the viewer's address, fdaa:…");
    }
  }

  private ParameterException usage(String why) {
    return new ParameterException(spec.commandLine(), why);
  }
}
