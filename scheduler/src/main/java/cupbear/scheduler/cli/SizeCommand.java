// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli;

import cupbear.scheduler.config.Amounts;
import cupbear.scheduler.core.PoolSize;
import cupbear.scheduler.core.PoolSize.Load;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cupbear size}: from arrivals, boot time and session length to warm_min and warm_max. */
@Command(
    name = "size",
    description = "Say how large a regional pool should be, from what is known of its demand.",
    footer = {
      "",
      "Example: cupbear size --arrivals 5/min --boot 60s --session 20m --miss 1%%",
      "What the figures mean: docs/how-to/size-a-pool.md"
    })
final class SizeCommand implements Callable<Integer> {
  private static final Pattern RATE = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,6})?)/(s|min|h|d)");
  private static final Map<String, Duration> PER =
      Map.of(
          "s", Duration.ofSeconds(1),
          "min", Duration.ofMinutes(1),
          "h", Duration.ofHours(1),
          "d", Duration.ofDays(1));
  private static final Pattern SHARE = Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,9})?)(%?)");

  @Mixin private Output output = new Output();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--arrivals",
      required = true,
      paramLabel = "N/UNIT",
      description = "new sessions in the busiest quarter of an hour, such as 5/min (s, min, h, d)")
  private String arrivals = "";

  @Option(
      names = "--boot",
      paramLabel = "DURATION",
      description = "p95 from create to proven (default ${DEFAULT-VALUE})")
  private String boot = "60s";

  @Option(
      names = "--session",
      required = true,
      paramLabel = "DURATION",
      description = "mean length of a session, such as 20m")
  private String session = "";

  @Option(
      names = "--miss",
      paramLabel = "SHARE",
      description = "accepted share of requests that find none warm (default ${DEFAULT-VALUE})")
  private String miss = "1%";

  /** The answer as programs get it. */
  record View(
      double arrivalsPerSecond,
      double bootSeconds,
      double sessionSeconds,
      double miss,
      double concurrency,
      int concurrencyP90,
      double booting,
      int machines,
      long refillSeconds,
      Bounds byRefill,
      Bounds byRefillWithSpill,
      Bounds byConcurrency) {}

  /** One proposal for a region of the configuration. */
  record Bounds(int warmMin, int warmMax) {
    static Bounds of(int floor) {
      return new Bounds(floor, PoolSize.ceiling(floor));
    }
  }

  @Override
  public Integer call() {
    Load load = load();
    PoolSize size = PoolSize.of(load);
    PrintWriter out = spec.commandLine().getOut();
    if (output.isJson()) Output.printJson(out, view(load, size));
    else print(out, load, size);
    return ExitCode.OK;
  }

  private Load load() {
    double rate = rate(arrivals);
    Duration booting = duration("--boot", boot);
    Duration lasting = duration("--session", session);
    double share = share(miss);
    try {
      return new Load(rate, booting, lasting, share);
    } catch (IllegalArgumentException e) {
      throw wrong("this needs " + e.getMessage() + "; give smaller figures");
    }
  }

  private double rate(String text) {
    Matcher parts = RATE.matcher(text);
    double count = parts.matches() ? Double.parseDouble(parts.group(1)) : 0;
    if (count <= 0) {
      throw wrong("--arrivals is '%s'; give a rate above 0 such as 5/min".formatted(text));
    }
    Duration per = PER.getOrDefault(parts.group(2), Duration.ofSeconds(1));
    return count / (double) per.toSeconds();
  }

  private Duration duration(String option, String text) {
    return Amounts.duration(text)
        .filter(Duration::isPositive)
        .orElseThrow(
            () -> wrong("%s is '%s'; give a duration such as 60s or 20m".formatted(option, text)));
  }

  private double share(String text) {
    Matcher parts = SHARE.matcher(text);
    double share =
        parts.matches()
            ? Double.parseDouble(parts.group(1)) / (parts.group(2).isEmpty() ? 1 : 100)
            : 0;
    if (share < 1e-6 || share > 0.5) {
      throw wrong("--miss is '%s'; give a share such as 1%% or 0.01, at most 50%%".formatted(text));
    }
    return share;
  }

  private static View view(Load load, PoolSize size) {
    return new View(
        load.arrivalsPerSecond(),
        (double) load.boot().toMillis() / 1000,
        (double) load.session().toMillis() / 1000,
        load.miss(),
        size.concurrency(),
        size.concurrencyP90(),
        size.booting(),
        size.machines(),
        size.refill().toSeconds(),
        Bounds.of(size.stock()),
        Bounds.of(size.stockWithSpill()),
        Bounds.of(size.concurrencyP90()));
  }

  private void print(PrintWriter out, Load load, PoolSize size) {
    String percent = String.format(Locale.ROOT, "%.3g %%", load.miss() * 100);
    out.printf(
        Locale.ROOT,
        "sessions at once     %.1f on average, p90 %d%n",
        size.concurrency(),
        size.concurrencyP90());
    out.printf(Locale.ROOT, "booting at once      %.1f on average%n", size.booting());
    out.printf(
        Locale.ROOT,
        "Machines in all      %d, so that at most %s find none (Erlang-B)%n",
        size.machines(),
        percent);
    out.printf(
        Locale.ROOT,
        "empty to warm_min    about %d s (%d creates, then one boot)%n%n",
        size.refill().toSeconds(),
        size.stock());
    out.printf("%-46s  warm_min  warm_max%n", "RULE");
    row(out, "arrivals come one by one; a miss waits", size.stock());
    row(out, "the same; a miss is served by another region", size.stockWithSpill());
    row(out, "everybody may come at once (p90 + 40 %)", size.concurrencyP90());
    out.printf(
        "%nFor a region of your configuration: {warm_min: %d, warm_max: %d}%n",
        size.stock(), PoolSize.ceiling(size.stock()));
    out.flush();
  }

  private static void row(PrintWriter out, String rule, int floor) {
    out.printf("%-46s  %8d  %8d%n", rule, floor, PoolSize.ceiling(floor));
  }

  private ParameterException wrong(String why) {
    return new ParameterException(spec.commandLine(), why);
  }
}
