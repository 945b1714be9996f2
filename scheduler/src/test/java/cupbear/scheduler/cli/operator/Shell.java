// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import cupbear.scheduler.cli.CupbearCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Runs commands as a shell would, without this machine's variables and terminal. */
final class Shell {
  /** Every command over the API, with the least it needs. */
  static final List<String> ALL =
      List.of(
          "status",
          "plan",
          "machines",
          "machines show m1",
          "sessions",
          "drain m1",
          "cordon m1",
          "uncordon m1",
          "pause iad",
          "resume iad",
          "events",
          "wait --for warm=1 --timeout 0s",
          "reload");

  /** What a command left behind. */
  record Ran(int exit, String out, String err) {}

  final Map<String, String> environment = new HashMap<>();

  /** What a person would type; nobody is there while it is null. */
  @Nullable String typed;

  final List<String> asked = new ArrayList<>();

  Ran run(String... words) {
    CommandLine line = CupbearCommand.commandLine();
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    place(line);
    return new Ran(line.execute(words), out.toString(), err.toString());
  }

  private void place(CommandLine line) {
    line.getCommandSpec()
        .mixins()
        .values()
        .forEach(mixin -> {
          if (mixin.userObject() instanceof ApiOptions options) {
            options.environment = environment;
            options.terminal = terminal();
          }
        });
    line.getSubcommands().values().forEach(this::place);
  }

  private Terminal terminal() {
    return new Terminal() {
      @Override
      public boolean isThere() {
        return typed != null;
      }

      @Override
      public @Nullable String ask(PrintWriter err, String question) {
        asked.add(question);
        return typed;
      }
    };
  }
}
