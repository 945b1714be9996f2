// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import cupbear.scheduler.cli.PlanCommandField.Wrong;
import cupbear.scheduler.cli.operator.ApiOptions;
import cupbear.scheduler.cli.operator.Plans;
import cupbear.scheduler.core.Reconciler;
import cupbear.scheduler.model.Plan;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code cupbear plan}: what the newest pass of running schedulers decided, and why; or, with a
 * file, the decision for a written-down observation, without a scheduler. Touches nothing; the same
 * file gives the same plan.
 */
@Command(
    name = "plan",
    description = "Show what the next pass would do, and why; also for a written-down observation.")
final class PlanCommand implements Callable<Integer> {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /** Far more than the largest pool; a file beyond this was given by mistake. */
  private static final long BYTES_MOST = 16L << 20;

  @Mixin private Output output = new Output();
  @Mixin private ApiOptions api = new ApiOptions();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", arity = "0..1", paramLabel = "POOL", description = "default: all")
  private @Nullable String pool;

  @Parameters(index = "1", arity = "0..1", paramLabel = "REGION", description = "default: all")
  private @Nullable String region;

  @Option(names = "--region", paramLabel = "REGION", description = "the same as an option")
  private @Nullable String regionOption;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "an observation instead of a scheduler; see docs/examples/observed.json")
  private @Nullable Path file;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "show this help and exit")
  boolean help;

  @Override
  public Integer call() throws IOException {
    Path from = file;
    if (from == null) {
      String only = region == null ? regionOption : region;
      return new Plans(spec, api).show(pool, only, output.isJson());
    }
    PlanCommandInput input = read(from);
    Plan plan = Reconciler.plan(input.observed(), input.desired(), input.policy(), input.now());
    PrintWriter out = spec.commandLine().getOut();
    if (output.isJson()) Output.printJson(out, PlanCommandView.of(input, plan));
    else PlanCommandView.print(out, input, plan);
    return ExitCode.OK;
  }

  private PlanCommandInput read(Path from) throws IOException {
    try {
      if (Files.size(from) > BYTES_MOST) throw usage(from, "it is larger than 16 MiB");
      JsonNode root = JSON.readTree(Files.readAllBytes(from));
      return PlanCommandInput.read(new PlanCommandField("", root));
    } catch (NoSuchFileException e) {
      throw usage(from, "there is no such file");
    } catch (JsonProcessingException e) {
      String where =
          "line %d, column %d"
              .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr());
      throw usage(from, "it is not JSON at " + where + ": " + e.getOriginalMessage());
    } catch (Wrong e) {
      throw usage(from, e.getMessage());
    }
  }

  private ParameterException usage(Path from, @Nullable String why) {
    return new ParameterException(spec.commandLine(), "%s: %s".formatted(from, why));
  }
}
