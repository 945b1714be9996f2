// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli;

import cupbear.scheduler.config.Configuration;
import cupbear.scheduler.config.Effective;
import cupbear.scheduler.config.Origin;
import cupbear.scheduler.config.Problem;
import cupbear.scheduler.config.Reference;
import cupbear.scheduler.config.SecretVariable;
import cupbear.scheduler.security.KeyRing;
import cupbear.scheduler.security.Secret;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cupbear config}: look at a configuration without starting anything. */
@Command(
    name = "config",
    description = "Check a configuration, show what holds, make a secret key.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ConfigCommand.Check.class,
      ConfigCommand.Show.class,
      ConfigCommand.SecretKey.class,
      ConfigCommand.Keys.class
    },
    mixinStandardHelpOptions = true,
    versionProvider = CupbearCommand.Version.class)
final class ConfigCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    throw new ParameterException(
        spec.commandLine(), "Missing command. Try: cupbear config check cupbear.yaml");
  }

  /** What the commands that read a file have in common. */
  abstract static class OnFile implements Callable<Integer> {
    @Mixin Output output = new Output();
    @Spec CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "FILE", description = "the configuration file")
    Path file = Path.of("cupbear.yaml");

    /** Replaced by tests, which must not depend on the shell they run in. */
    Map<String, String> environment = System.getenv();

    @Override
    public Integer call() {
      return switch (Configuration.load(file, environment)) {
        case Configuration.Valid valid -> good(valid);
        case Configuration.Invalid invalid -> bad(invalid.problems());
      };
    }

    abstract int good(Configuration.Valid valid);

    int bad(List<Problem> problems) {
      PrintWriter out = spec.commandLine().getOut();
      if (output.isJson()) {
        List<Map<String, @Nullable Object>> all = problems.stream().map(OnFile::view).toList();
        Output.printJson(out, Map.of("valid", false, "problems", all));
        return ExitCode.FAILED;
      }
      problems.forEach(out::println);
      out.flush();
      PrintWriter err = spec.commandLine().getErr();
      err.printf("%s: %d problem%s%n", file, problems.size(), problems.size() == 1 ? "" : "s");
      err.flush();
      return ExitCode.FAILED;
    }

    private static Map<String, @Nullable Object> view(Problem problem) {
      Map<String, @Nullable Object> view = new LinkedHashMap<>();
      view.put("at", problem.at().toString());
      if (problem.at() instanceof Origin.InFile in) {
        view.put("file", in.file());
        view.put("line", in.line());
        view.put("column", in.column());
      }
      view.put("key", problem.key());
      view.put("value", problem.value());
      view.put("rule", problem.rule());
      view.put("nearest", problem.nearest());
      return view;
    }
  }

  /** {@code config check}. */
  @Command(
      name = "check",
      description = "Say everything that is wrong with a configuration; exit 0 when nothing is.",
      mixinStandardHelpOptions = true,
      versionProvider = CupbearCommand.Version.class)
  static final class Check extends OnFile {
    @Override
    int good(Configuration.Valid valid) {
      PrintWriter out = spec.commandLine().getOut();
      int pools = valid.settings().pools().size();
      int regions =
          valid.settings().pools().values().stream().mapToInt(p -> p.regions().size()).sum();
      if (output.isJson()) {
        Output.printJson(out, Map.of("valid", true, "problems", List.of()));
      } else {
        out.printf(
            "%s is good: %s, %s, %s%n",
            file,
            valid.settings().environment().word(),
            counted(pools, "pool"),
            counted(regions, "regional pool"));
        out.flush();
      }
      return ExitCode.OK;
    }

    private static String counted(int count, String what) {
      return "%d %s%s".formatted(count, what, count == 1 ? "" : "s");
    }
  }

  /** {@code config show}. */
  @Command(
      name = "show",
      description = "Show every value that holds and where it comes from.",
      mixinStandardHelpOptions = true,
      versionProvider = CupbearCommand.Version.class)
  static final class Show extends OnFile {
    private record Row(String key, String value, String source) {}

    @Override
    int good(Configuration.Valid valid) {
      List<Row> rows = new ArrayList<>();
      for (Effective each : valid.effective()) {
        rows.add(new Row(each.path(), each.value(), each.origin().toString()));
      }
      for (SecretVariable each : SecretVariable.values()) rows.add(secret(each));
      PrintWriter out = spec.commandLine().getOut();
      if (output.isJson()) Output.printJson(out, Map.of("values", rows));
      else print(out, rows);
      return ExitCode.OK;
    }

    private Row secret(SecretVariable secret) {
      if (environment.containsKey(secret.variable())) {
        return new Row(secret.variable(), Secret.MASK, "environment");
      }
      boolean inFile = environment.containsKey(secret.fileVariable());
      return inFile
          ? new Row(secret.variable(), Secret.MASK, secret.fileVariable())
          : new Row(secret.variable(), "-", "not set");
    }

    private static void print(PrintWriter out, List<Row> rows) {
      int keys = rows.stream().mapToInt(row -> row.key.length()).max().orElse(0);
      int values = Math.min(40, rows.stream().mapToInt(row -> row.value.length()).max().orElse(0));
      String line = "%%-%ds  %%-%ds  %%s%%n".formatted(keys, values);
      out.printf(line, "KEY", "VALUE", "SOURCE");
      rows.forEach(row -> out.printf(line, row.key, row.value, row.source));
      out.flush();
    }
  }

  /** {@code config secret-key}. */
  @Command(
      name = "secret-key",
      description = "Make a key for CUPBEAR_SECRET_KEY and print it, once.",
      mixinStandardHelpOptions = true,
      versionProvider = CupbearCommand.Version.class)
  static final class SecretKey implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
      spec.commandLine()
          .getErr()
          .println(
              "Keep it where the scheduler finds it, for example: "
                  + "fly secrets set CUPBEAR_SECRET_KEY=… -a <scheduler app>");
      spec.commandLine().getErr().flush();
      spec.commandLine().getOut().println(KeyRing.newSecret(new SecureRandom()).reveal());
      spec.commandLine().getOut().flush();
      return ExitCode.OK;
    }
  }

  /** {@code config keys}: the reference page, from the table that the parser uses. */
  @Command(
      name = "keys",
      description = "Print the reference of all keys (docs/reference/configuration.md).",
      mixinStandardHelpOptions = true,
      versionProvider = CupbearCommand.Version.class)
  static final class Keys implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
      spec.commandLine().getOut().print(Reference.page());
      spec.commandLine().getOut().flush();
      return ExitCode.OK;
    }
  }
}
