// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code cupbear version}: which build this is. */
@Command(name = "version", description = "Show version, commit and Java.")
final class VersionCommand implements Callable<Integer> {
  @Mixin private Output output = new Output();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    BuildInfo build = BuildInfo.current();
    if (output.isJson()) {
      Output.printJson(out, build);
    } else {
      out.printf(
          "cupbear %s%ncommit  %s%njava    %s%n", build.version(), build.commit(), build.java());
    }
    return ExitCode.OK;
  }
}
