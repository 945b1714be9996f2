// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import com.fasterxml.jackson.databind.JsonNode;
import cupbear.scheduler.cli.Output;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What all commands over the API have in common: options, exit codes, how trouble is told. */
public abstract class ApiCommand implements Callable<Integer> {
  @Mixin Output output = new Output();
  @Mixin ApiOptions options = new ApiOptions();
  @Spec CommandSpec spec = CommandSpec.create();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "show this help and exit")
  boolean help;

  InstantSource clock = InstantSource.system();

  @Override
  public final Integer call() {
    try (Api api = options.open(spec)) {
      return run(api);
    } catch (ApiTrouble trouble) {
      return tell(spec, trouble);
    }
  }

  abstract int run(Api api) throws ApiTrouble;

  /** One line that says what, one that says what next. */
  static int tell(CommandSpec spec, ApiTrouble trouble) {
    PrintWriter err = spec.commandLine().getErr();
    err.printf("%s: %s%n%s%n", spec.qualifiedName(), trouble.what(), trouble.advice());
    err.flush();
    return trouble.exitCode();
  }

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Talk goes here, so that the data can be piped. */
  final void say(String text) {
    spec.commandLine().getErr().println(text);
    spec.commandLine().getErr().flush();
  }

  final ParameterException usage(String why) {
    return new ParameterException(spec.commandLine(), why);
  }

  final void print(Table table, String whenEmpty) {
    if (table.isEmpty()) say(whenEmpty);
    else table.print(out(), options.isColoured());
  }

  final void printJson(JsonNode document) {
    Output.printJson(out(), document);
  }
}
