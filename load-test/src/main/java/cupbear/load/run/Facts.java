// SPDX-License-Identifier: Apache-2.0
package cupbear.load.run;

import com.sun.management.OperatingSystemMXBean;
import cupbear.load.report.LoadReport.About;
import cupbear.load.stack.LocalStack;
import cupbear.redis.RedisAddress;
import cupbear.scheduler.cli.BuildInfo;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.Jedis;

/** Where, when and with what a run was made. */
final class Facts {
  private static final Pattern VERSION = Pattern.compile("redis_version:(\\S+)");

  private Facts() {}

  static About about(Instant began, String command, LoadRun.Wish wish, LocalStack stack) {
    RedisAddress redis =
        stack
            .sentinel()
            .map(each -> each.primary().address())
            .orElseGet(() -> stack.redis().orElseThrow().address());
    String kind = stack.sentinel().isPresent() ? "behind Sentinel" : "standalone";
    return about(began, command, wish, About.OWN_STACK, version(redis) + ", " + kind);
  }

  static About about(Instant began, String command, LoadRun.Wish wish, List<String> apis) {
    return about(began, command, wish, String.join(", ", apis), "not known");
  }

  private static About about(
      Instant began, String command, LoadRun.Wish wish, String target, String redis) {
    BuildInfo build = BuildInfo.current();
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return new About(
        began,
        command,
        wish.seed(),
        target,
        build.version(),
        build.commit(),
        build.java(),
        "%s %s, %s".formatted(system.getName(), system.getVersion(), system.getArch()),
        system.getAvailableProcessors(),
        system.getTotalMemorySize(),
        redis);
  }

  private static String version(RedisAddress address) {
    try (Jedis redis = address.connect()) {
      Matcher found = VERSION.matcher(redis.info("server"));
      return found.find() ? found.group(1) : "unknown version";
    }
  }
}
