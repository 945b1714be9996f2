// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import static cupbear.scheduler.config.Kind.count;
import static java.time.Duration.ofSeconds;

import cupbear.scheduler.config.Key.Table;
import cupbear.scheduler.model.Desired.AfterSession;
import cupbear.scheduler.model.TemplateVersion;
import java.time.Duration;
import java.util.List;

/** What a pool declares for itself. */
final class PoolKeys {
  private static final Table TABLE = new Table(Key.POOLS, true);

  private static final Kind<Integer> PORT = count(1, 65_535);

  private static final Kind<Duration> EXEC_TIME =
      Amounts.POSITIVE.where(
          value -> value.compareTo(ofSeconds(60)) <= 0,
          "a duration up to 60s, which is the longest that Fly runs a command");

  /** Values that Machines carry around must not break a line. */
  private static final Kind<String> ONE_LINE =
      Kind.text("text", "a text of one line", PoolKeys::isOneLine);

  /** Money per hour. */
  private static Kind<Double> money(double least) {
    return Kind.number(
        value -> value >= least && value <= 1e6, "an amount per hour from %s up".formatted(least));
  }

  static final Key<TemplateVersion> VERSION =
      TABLE.required(
          "template.version",
          Kind.named(
              "text",
              "a version such as \"7\" or \"2026.3\": up to 32 letters, digits, '.', '_' and '-'",
              TemplateVersion::new),
          "a new version rolls the pool");
  static final Key<String> IMAGE =
      TABLE.required(
          "template.image",
          Kind.text("image", "an image, best by its digest", text -> text.matches("\\S{1,512}")),
          "the viewer image");
  static final Key<Settings.CpuKind> CPU_KIND =
      TABLE.key(
          "template.guest.cpu_kind",
          Kind.word(Settings.CpuKind.class),
          Settings.CpuKind.SHARED,
          "Fly's kind of CPU");
  static final Key<Integer> CPUS =
      TABLE.key("template.guest.cpus", count(1, 64), 2, "CPUs of a Machine");
  static final Key<Integer> MEMORY_MB =
      TABLE.key(
          "template.guest.memory_mb",
          count(256, 1 << 20)
              .where(value -> value % 256 == 0, "a multiple of 256, from 256 to 1048576"),
          2048,
          "memory of a Machine");
  static final Key<String> ENV =
      TABLE.optional(
          "template.env.<NAME>", ONE_LINE, "none", "environment of the viewer; no secrets");

  static final Key<String> LABELS =
      TABLE.optional("labels.<label>", ONE_LINE, "none", "what sessions may ask for");

  static final Key<Integer> WARM_MIN =
      TABLE.required("regions.<region>.warm_min", count(0, 10_000), "so many are always warm");
  static final Key<Integer> WARM_MAX =
      TABLE.required("regions.<region>.warm_max", count(0, 10_000), "never more warm than these");
  static final Key<Integer> PARKED_MAX =
      TABLE.optional(
          "regions.<region>.parked_max",
          count(0, 10_000),
          "as warm_max",
          "stopped Machines kept for later");

  static final Key<Integer> GUACD_PORT =
      TABLE.key("ports.guacd", PORT, 4822, "where guacd answers in a Machine");
  static final Key<Integer> RDP_PORT =
      TABLE.key("ports.rdp", PORT, 3389, "where RDP answers in a Machine");
  static final Key<PoolSettings.Depth> DEPTH =
      TABLE.key(
          "probe.depth",
          Kind.word(PoolSettings.Depth.class),
          PoolSettings.Depth.LOGIN,
          "how far the RDP probe goes");
  static final Key<Boolean> CREDSSP =
      TABLE.key("probe.credssp", Kind.FLAG, false, "with NLA, ask for the CredSSP challenge, too");

  static final Key<PoolSettings.CredentialsMode> CREDENTIALS =
      TABLE.key(
          "credentials",
          Kind.word(PoolSettings.CredentialsMode.class),
          PoolSettings.CredentialsMode.ONE_TIME,
          "whether each session gets a login of its own");

  static final Key<List<String>> STAGING_RUN =
      TABLE.key(
          "staging.run",
          Kind.TEXTS,
          List.of("/usr/local/bin/cupbear-stage"),
          "run in a proving Machine; reads user:password as a line on its standard input");
  static final Key<Duration> STAGING_DEADLINE =
      TABLE.key("staging.deadline", EXEC_TIME, ofSeconds(10), "a slower one counts as failed");

  static final Key<String> STEP_NAME =
      TABLE.required(
          "teardown.<n>.name",
          Kind.text(
              "name",
              "a name of letters, digits, '_' and '-', up to 64",
              text -> text.matches("[A-Za-z0-9_-]{1,64}")),
          "names the step in events and audit");
  static final Key<List<String>> STEP_RUN =
      TABLE.required(
          "teardown.<n>.run",
          Kind.TEXTS,
          "command and arguments, run in the Machine when a session ended");
  static final Key<Duration> STEP_DEADLINE =
      TABLE.key(
          "teardown.<n>.deadline",
          EXEC_TIME,
          ofSeconds(10),
          "a slower or failing step condemns the Machine");

  static final Key<AfterSession> AFTER_SESSION =
      TABLE.key(
          "after_session",
          Kind.word(AfterSession.class),
          AfterSession.RECYCLE,
          "wipe and use again, or destroy and replace");
  static final Key<PoolSettings.Failover> FAILOVER =
      TABLE.key(
          "failover",
          Kind.word(PoolSettings.Failover.class),
          PoolSettings.Failover.NOTIFY,
          "what a session gets whose Machine died");

  static final Key<Integer> MAX_DISTANCE_KM =
      TABLE.optional(
          "placement.max_distance_km",
          count(0, 20_100),
          "no limit",
          "farther regions are not offered unasked");
  static final Key<List<String>> ORDER =
      TABLE.optional(
          "placement.order.<region>",
          Kind.TEXTS.where(
              list -> list.stream().allMatch(Blank.REGION::accepts),
              "a list of region codes such as [iad, lhr]"),
          "nearest first",
          "regions to try, in this order, for callers in that region");

  static final Key<Double> BUDGET_PER_HOUR =
      TABLE.optional(
          "budget.per_hour", money(0), "no budget", "caps warm_max; shared out by warm_max");
  static final Key<Double> MACHINE_PER_HOUR =
      TABLE.optional(
          "budget.machine_per_hour",
          money(0.000001),
          "unknown",
          "price of one running Machine, in the same currency");

  private PoolKeys() {}

  static List<Key<?>> all() {
    return TABLE.all();
  }

  private static boolean isOneLine(String text) {
    return text.length() <= 1024 && text.chars().noneMatch(Character::isISOControl);
  }
}
