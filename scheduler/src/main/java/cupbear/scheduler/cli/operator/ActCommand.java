// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import cupbear.scheduler.cli.ExitCode;
import cupbear.scheduler.model.MachineId;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What operators do to a Machine or a region. All of it can be tried first, and be repeated. */
public abstract class ActCommand extends ApiCommand {
  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "why, one sentence; it is kept with the act")
  @Nullable String reason;

  @Option(names = "--dry-run", description = "say what would be done, and do nothing")
  boolean dryRun;

  /** What is steered. */
  private record Aim(String path, String name, boolean wholeRegion) {}

  abstract String target();

  abstract boolean takesMachines();

  /** Whether this is to be asked about before it is done. */
  boolean isGrave(boolean wholeRegion) {
    return false;
  }

  boolean isConfirmed() {
    return false;
  }

  @Override
  final int run(Api api) throws ApiTrouble {
    Aim aim = aim(api);
    String act = spec.name();
    boolean ask = isGrave(aim.wholeRegion()) && !dryRun && !isConfirmed();
    if (ask && !isAgreed(api, aim, act)) return ExitCode.FAILED;
    JsonNode done = api.post(aim.path() + act + (dryRun ? "?dry_run=true" : ""), body());
    if (output.isJson()) {
      printJson(done);
    } else {
      out().println(sentence(done, aim));
      out().flush();
    }
    return ExitCode.OK;
  }

  private @Nullable ObjectNode body() {
    return reason == null ? null : Api.mapper().createObjectNode().put("reason", reason);
  }

  /** A word like {@code lhr} is a region if one is declared; everything else is a Machine. */
  private Aim aim(Api api) throws ApiTrouble {
    String word = target();
    ApiOptions.checked(spec, () -> new MachineId(word));
    boolean likeRegion = word.matches("[a-z]{3,4}");
    if (!likeRegion && takesMachines()) {
      return new Aim("/v1/machines/" + word + "/", "Machine " + word, false);
    }
    JsonNode all = api.get("/v1/pools");
    String only = options.pool(spec);
    List<String> pools =
        PoolDocuments.places(all).stream()
            .filter(place -> place.code().equals(word))
            .map(PoolDocuments.Place::pool)
            .filter(pool -> only == null || pool.equals(only))
            .toList();
    if (pools.size() == 1) {
      String pool = pools.getFirst();
      return new Aim(
          "/v1/pools/%s/regions/%s/".formatted(pool, word), "%s of %s".formatted(word, pool), true);
    }
    if (pools.size() > 1) {
      throw usage(
          "%s is a region of several pools; name one of them with --pool: %s"
              .formatted(word, String.join(", ", pools)));
    }
    String declared =
        PoolDocuments.places(all).stream()
            .map(place -> "%s of %s".formatted(place.code(), place.pool()))
            .collect(Collectors.joining(", "));
    throw usage("%s is no region that is declared; there are: %s".formatted(word, declared));
  }

  private boolean isAgreed(Api api, Aim aim, String act) throws ApiTrouble {
    if (!options.terminal.isThere()) {
      throw usage(
          "to %s %s needs --yes where nobody can be asked; --dry-run shows what it would do"
              .formatted(act, aim.name()));
    }
    JsonNode would = api.post(aim.path() + act + "?dry_run=true", null);
    String question =
        "%s%s: %s. Go on? [y/N] "
            .formatted(
                act.substring(0, 1).toUpperCase(Locale.ROOT),
                act.substring(1) + " " + aim.name(),
                Human.counted(would.path("machines").size(), "Machine") + " will leave");
    String said = options.terminal.ask(spec.commandLine().getErr(), question);
    boolean yes = said != null && said.strip().toLowerCase(Locale.ROOT).matches("y|yes");
    if (!yes) say("Nothing was done.");
    return yes;
  }

  private String sentence(JsonNode done, Aim aim) {
    int count = done.path("machines").size();
    String touches = count == 0 || !aim.wholeRegion() ? "" : machines(done, count);
    String act = spec.name();
    if (dryRun) return "would %s %s%s".formatted(act, aim.name(), touches);
    return done.path("applied").asBoolean()
        ? "%s: done to %s%s".formatted(act, aim.name(), touches)
        : "%s: it was so already for %s".formatted(act, aim.name());
  }

  private static String machines(JsonNode done, int count) {
    StringBuilder ids = new StringBuilder();
    for (JsonNode each : done.path("machines")) ids.append(' ').append(each.asText());
    return "; %s:%s".formatted(Human.counted(count, "Machine"), Human.clean(ids.toString()));
  }

  /** The acts that take a Machine or a region. */
  abstract static class OnEither extends ActCommand {
    @Parameters(
        index = "0",
        paramLabel = "MACHINE|REGION",
        description = "a Machine's id, or a region (with --pool if several pools are there)")
    String target = "";

    @Override
    final String target() {
      return target;
    }

    @Override
    final boolean takesMachines() {
      return true;
    }
  }

  /** The acts that take a region. */
  abstract static class OnRegion extends ActCommand {
    @Parameters(
        index = "0",
        paramLabel = "REGION",
        description = "a region (with --pool if several pools are there)")
    String target = "";

    @Override
    final String target() {
      return target;
    }

    @Override
    final boolean takesMachines() {
      return false;
    }
  }

  /** {@code cupbear drain}. */
  @Command(
      name = "drain",
      description =
          "Take a Machine, or all of a region, out of service; sessions end by themselves.")
  public static final class Drain extends OnEither {
    @Option(
        names = {"-y", "--yes"},
        description = "do not ask before a region is drained")
    boolean yes;

    @Override
    boolean isGrave(boolean wholeRegion) {
      return wholeRegion;
    }

    @Override
    boolean isConfirmed() {
      return yes;
    }
  }

  /** {@code cupbear cordon}. */
  @Command(name = "cordon", description = "Give a Machine, or a whole region, to no new session.")
  public static final class Cordon extends OnEither {}

  /** {@code cupbear uncordon}. */
  @Command(name = "uncordon", description = "End a cordon, or the drain of a region.")
  public static final class Uncordon extends OnEither {}

  /** {@code cupbear pause}. */
  @Command(
      name = "pause",
      description = "Stop a region's control loop; what is warm is still given out.")
  public static final class Pause extends OnRegion {}

  /** {@code cupbear resume}. */
  @Command(name = "resume", description = "Let a paused region's control loop go on.")
  public static final class Resume extends OnRegion {}
}
