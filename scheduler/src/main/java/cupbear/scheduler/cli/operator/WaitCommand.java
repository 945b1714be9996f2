// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import cupbear.scheduler.cli.ExitCode;
import cupbear.scheduler.cli.operator.PoolDocuments.Place;
import cupbear.scheduler.config.Amounts;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cupbear wait}: returns when something is true, or says how far it got. */
@Command(name = "wait", description = "Wait until something is true; exit 3 if it is not in time.")
public final class WaitCommand extends ApiCommand {
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  @Mixin RegionOption region = new RegionOption();

  @Option(
      names = "--for",
      required = true,
      paramLabel = "CONDITION",
      description =
          "warm=N (at least N in all), warm=floor (each region at its floor), or at most N:"
              + " queue=N, assigned=N, draining=N")
  String condition = "";

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description = "at most so long; default: ${DEFAULT-VALUE}",
      defaultValue = "5m")
  String timeout = "5m";

  @Override
  int run(Api api) throws ApiTrouble {
    Condition wanted =
        Condition.read(condition)
            .orElseThrow(() ->
                usage(
                    "--for is '%s'; give one such as warm=5, warm=floor or queue=0"
                        .formatted(condition)));
    Duration most =
        Amounts.duration(timeout)
            .orElseThrow(
                () -> usage("--timeout is '%s'; give a duration such as 60s".formatted(timeout)));
    long deadline = System.nanoTime() + most.toNanos();
    while (true) {
      ApiTrouble trouble = null;
      ObjectNode pools = null;
      try {
        pools = PoolDocuments.read(api, options.pool(spec), region.value(spec));
      } catch (ApiTrouble.Unreachable gone) {
        trouble = gone;
      } catch (ApiTrouble.Refused refused) {
        if (!refused.isPassing()) throw refused;
        trouble = refused;
      }
      if (pools != null && isMet(wanted, pools)) return done(wanted, pools);
      long left = deadline - System.nanoTime();
      if (left <= 0 || !slept(Math.min(left, LOOK_EVERY.toNanos()))) {
        return late(wanted, most, pools, trouble);
      }
    }
  }

  private boolean isMet(Condition wanted, ObjectNode pools) {
    List<Place> places = PoolDocuments.places(pools);
    if (places.isEmpty()) throw usage("no such regional pool is declared; see: cupbear status");
    return wanted.isMet(places);
  }

  private int done(Condition wanted, ObjectNode pools) {
    if (output.isJson()) printJson(pools);
    else say(wanted.sentence(PoolDocuments.places(pools)));
    return ExitCode.OK;
  }

  private int late(
      Condition wanted, Duration most, @Nullable ObjectNode pools, @Nullable ApiTrouble trouble)
      throws ApiTrouble {
    if (pools == null) {
      if (trouble != null) throw trouble;
      return ExitCode.NOT_CONVERGED;
    }
    if (output.isJson()) printJson(pools);
    say(
        "%s: not in %s: %s%nWhat is being done about it: cupbear status, cupbear plan"
            .formatted(
                spec.qualifiedName(),
                Human.age(most),
                wanted.sentence(PoolDocuments.places(pools))));
    return ExitCode.NOT_CONVERGED;
  }

  private static boolean slept(long nanos) {
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
      return true;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
