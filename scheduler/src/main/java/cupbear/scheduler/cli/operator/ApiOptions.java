// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.security.Secret;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * Where the schedulers are and who asks: the options of every command that talks to the API. A
 * token is never an argument: those can be seen by everybody on the machine.
 */
public final class ApiOptions {
  private static final String DEFAULT = "http://127.0.0.1:8080";

  /** Nobody's token is longer; a file beyond this was named by mistake. */
  private static final long TOKEN_BYTES_MOST = 4096;

  @Option(
      names = "--api",
      paramLabel = "URL",
      description =
          "the scheduler's API, or several with commas; default: $CUPBEAR_API, else " + DEFAULT)
  @Nullable String api;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "a file that holds the token; default: the token in $CUPBEAR_TOKEN")
  @Nullable Path tokenFile;

  @Option(names = "--pool", paramLabel = "POOL", description = "only this pool; default: all")
  @Nullable String pool;

  @Option(names = "--no-color", description = "no colours, also on a terminal")
  boolean noColor;

  /** Replaced by tests, which must not depend on the shell they run in. */
  Map<String, String> environment = System.getenv();

  Terminal terminal = Terminal.SYSTEM;

  /** Opens nothing yet; says what is wrong with the options. */
  public Api open(CommandSpec spec) throws ApiTrouble {
    return new Api(bases(spec), token(spec));
  }

  private List<URI> bases(CommandSpec spec) {
    String text = api == null ? environment.getOrDefault("CUPBEAR_API", DEFAULT) : api;
    List<URI> bases = new ArrayList<>();
    for (String each : text.split(",", -1)) bases.add(base(spec, each.strip()));
    return bases;
  }

  private static URI base(CommandSpec spec, String text) {
    try {
      URI uri = new URI(text.replaceAll("/+$", ""));
      boolean good =
          ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
              && uri.getHost() != null
              && uri.getUserInfo() == null
              && uri.getQuery() == null;
      if (good) return uri;
    } catch (URISyntaxException wrong) {
      // Said below.
    }
    throw new ParameterException(
        spec.commandLine(),
        "'%s' is not the address of an API; give one such as %s".formatted(text, DEFAULT));
  }

  private Secret token(CommandSpec spec) throws ApiTrouble {
    if (tokenFile != null) return read(spec, tokenFile);
    String text = environment.getOrDefault("CUPBEAR_TOKEN", "").strip();
    return secret(text, "CUPBEAR_TOKEN");
  }

  private static Secret secret(String text, String where) throws ApiTrouble {
    if (text.isEmpty()) throw new ApiTrouble.NoToken("there is no token in %s".formatted(where));
    if (text.matches("[\\x21-\\x7e]+")) return Secret.of(text);
    throw new ApiTrouble.NoToken("what is in %s cannot be a token".formatted(where));
  }

  private static Secret read(CommandSpec spec, Path file) throws ApiTrouble {
    try {
      if (Files.size(file) > TOKEN_BYTES_MOST) {
        throw new ParameterException(
            spec.commandLine(), "%s is too large to be a token".formatted(file));
      }
      return secret(Files.readString(file).strip(), file.toString());
    } catch (IOException wrong) {
      throw new ParameterException(
          spec.commandLine(), "cannot read the token from %s: %s".formatted(file, wrong), wrong);
    }
  }

  boolean isColoured() {
    return !noColor && !environment.containsKey("NO_COLOR") && terminal.isThere();
  }

  /** The pool that was named; a name that cannot be one is refused here. */
  @Nullable String pool(CommandSpec spec) {
    String given = pool;
    if (given != null) checked(spec, () -> new PoolName(given));
    return given;
  }

  /** Refuses, as wrong usage, what cannot be a name; all that is left can stand in a path. */
  static void checked(CommandSpec spec, Supplier<?> making) {
    try {
      Objects.requireNonNull(making.get());
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()), wrong);
    }
  }
}
