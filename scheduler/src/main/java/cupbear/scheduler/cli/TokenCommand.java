// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli;

import cupbear.scheduler.config.Amounts;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.security.Caller;
import cupbear.scheduler.security.Role;
import cupbear.scheduler.security.Token;
import cupbear.scheduler.security.TokenFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cupbear token}: who may use the API. Works on the token file; schedulers watch it. */
@Command(
    name = "token",
    description = "Make, list and revoke API tokens.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      TokenCommand.Create.class,
      TokenCommand.ListAll.class,
      TokenCommand.Revoke.class
    },
    mixinStandardHelpOptions = true,
    versionProvider = CupbearCommand.Version.class)
final class TokenCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "Missing command. Try: cupbear token list");
  }

  /** What all of them have in common. */
  abstract static class OnFile implements Callable<Integer> {
    @Mixin Output output = new Output();
    @Spec CommandSpec spec = CommandSpec.create();

    @Option(
        names = {"-f", "--file"},
        paramLabel = "FILE",
        description = "the token file (security.token_file); default: ${DEFAULT-VALUE}",
        defaultValue = "tokens.json")
    Path file = Path.of("tokens.json");

    TokenFile tokens() {
      return new TokenFile(file);
    }

    ParameterException usage(String why) {
      return new ParameterException(spec.commandLine(), why);
    }

    PrintWriter out() {
      return spec.commandLine().getOut();
    }

    /** What may be shown of a token. */
    static Map<String, @Nullable Object> view(Token token) {
      Map<String, @Nullable Object> view = new LinkedHashMap<>();
      view.put("id", token.id());
      view.put("name", token.name());
      view.put("role", token.role().word());
      view.put("pools", token.pools().stream().map(PoolName::value).toList());
      view.put("created", token.created().toString());
      view.put("expires", token.expires() == null ? null : token.expires().toString());
      return view;
    }
  }

  /** {@code token create}. */
  @Command(
      name = "create",
      description = "Make a token and print it; it cannot be shown again.",
      mixinStandardHelpOptions = true,
      versionProvider = CupbearCommand.Version.class)
  static final class Create extends OnFile {
    @Option(
        names = "--role",
        required = true,
        paramLabel = "ROLE",
        description = "gateway, viewer, operator or admin")
    String role = "";

    @Option(
        names = "--name",
        required = true,
        paramLabel = "NAME",
        description = "who it is for; sessions belong to the name")
    String name = "";

    @Option(
        names = "--pools",
        split = ",",
        paramLabel = "POOL",
        description = "only these pools; default: all")
    List<String> pools = List.of();

    @Option(
        names = "--expires",
        paramLabel = "DURATION",
        description = "good for this long, such as 90d; default: for ever")
    @Nullable String expires;

    @Override
    public Integer call() throws IOException {
      Instant now = Instant.ofEpochSecond(Instant.now().getEpochSecond());
      Role known =
          Role.of(role).orElseThrow(() -> usage("--role: give gateway, viewer, operator or admin"));
      if (!Caller.isName(name)) throw usage("--name: give " + Caller.NAME_RULE);
      Optional<Instant> until = lifetime().map(now::plus);
      TokenFile.Made made =
          tokens()
              .create(new TokenFile.Wish(name, known, poolNames(), now, until), new SecureRandom());
      if (output.isJson()) {
        Map<String, @Nullable Object> view = view(made.token());
        view.put("token", made.text().reveal());
        Output.printJson(out(), view);
      } else {
        out().println(made.text().reveal());
        out().flush();
        PrintWriter err = spec.commandLine().getErr();
        err.printf("Token %s for %s (%s). ", made.token().id(), name, known.word());
        err.printf("This is the only time it is shown; %s keeps its hash.%n", file);
        err.flush();
      }
      return ExitCode.OK;
    }

    private Optional<Duration> lifetime() {
      if (expires == null) return Optional.empty();
      Optional<Duration> length = Amounts.duration(expires).filter(Duration::isPositive);
      if (length.isEmpty()) throw usage("--expires: give a duration such as 12h or 90d");
      return length;
    }

    private Set<PoolName> poolNames() {
      try {
        return pools.stream().map(PoolName::new).collect(Collectors.toSet());
      } catch (IllegalArgumentException e) {
        throw usage("--pools: " + e.getMessage());
      }
    }
  }

  /** {@code token list}. */
  @Command(
      name = "list",
      aliases = "ls",
      description = "List tokens: all that is known of them, never the tokens.",
      mixinStandardHelpOptions = true,
      versionProvider = CupbearCommand.Version.class)
  static final class ListAll extends OnFile {
    @Override
    public Integer call() {
      List<Token> all = tokens().tokens();
      if (output.isJson()) {
        Output.printJson(out(), Map.of("tokens", all.stream().map(OnFile::view).toList()));
        return ExitCode.OK;
      }
      Instant now = Instant.now();
      String line = "%-10s  %-8s  %-24s  %-20s  %-20s  %s%n";
      out().printf(line, "ID", "ROLE", "NAME", "CREATED", "EXPIRES", "POOLS");
      for (Token each : all) {
        out()
            .printf(
                line,
                each.id(),
                each.role().word(),
                each.name(),
                each.created(),
                each.isExpired(now) ? "expired" : each.expires() == null ? "never" : each.expires(),
                each.pools().isEmpty()
                    ? "all"
                    : Stream.of(each.pools().toArray())
                        .map(Object::toString)
                        .collect(Collectors.joining(",")));
      }
      out().flush();
      return ExitCode.OK;
    }
  }

  /** {@code token revoke}. */
  @Command(
      name = "revoke",
      description = "Take a token away; schedulers refuse it once they saw the file.",
      mixinStandardHelpOptions = true,
      versionProvider = CupbearCommand.Version.class)
  static final class Revoke extends OnFile {
    @Parameters(index = "0", paramLabel = "ID", description = "its id, from cupbear token list")
    String id = "";

    @Override
    public Integer call() throws IOException {
      Optional<Token> revoked = tokens().revoke(id);
      PrintWriter err = spec.commandLine().getErr();
      if (revoked.isEmpty()) {
        err.printf("cupbear token revoke: %s has no such token; see cupbear token list%n", file);
        err.flush();
        return ExitCode.FAILED;
      }
      if (output.isJson()) Output.printJson(out(), view(revoked.get()));
      else out().printf("revoked %s of %s%n", revoked.get().id(), revoked.get().name());
      out().flush();
      return ExitCode.OK;
    }
  }
}
