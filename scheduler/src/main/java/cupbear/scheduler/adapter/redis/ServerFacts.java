// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a Redis server says about itself, to judge at start whether it can be trusted with sessions.
 * All of it comes from INFO, since managed servers often refuse CONFIG.
 *
 * @param replicas that are connected now
 * @param refusesAlone without replicas it takes no writes: min-replicas-to-write is 1 or more
 * @param whenFull what it does when its memory is full, the maxmemory-policy
 */
public record ServerFacts(
    RedisPlace.Kind kind,
    String version,
    String replicationId,
    int replicas,
    boolean refusesAlone,
    String whenFull) {

  /** The oldest that all tests run on. */
  private static final int MAJOR_VERSION = 7;

  static ServerFacts of(RedisPlace.Kind kind, String info) {
    return new ServerFacts(
        kind,
        field(info, "redis_version"),
        field(info, "master_replid"),
        Integer.parseInt("0" + field(info, "connected_slaves")),
        // The line is only there when the setting is not 0.
        !field(info, "min_slaves_good_slaves").isEmpty(),
        field(info, "maxmemory_policy"));
  }

  private static String field(String info, String name) {
    Matcher line = Pattern.compile("(?m)^" + name + ":([^\r\n]*)").matcher(info);
    return line.find() ? line.group(1) : "";
  }

  /** Reasons not to run in production on this server, each with what to do; empty when none. */
  public List<String> concerns(boolean strict) {
    List<String> concerns = new ArrayList<>();
    if (majorVersion() < MAJOR_VERSION) {
      concerns.add("Redis is %s; use %d.0 or newer".formatted(version, MAJOR_VERSION));
    }
    if (kind != RedisPlace.Kind.STANDALONE && !refusesAlone) {
      concerns.add(
          "an old primary that wakes up after a failover would grant Machines twice;"
              + " set min-replicas-to-write to 1 and min-replicas-max-lag to 2 on every server");
    }
    if (strict && replicas == 0) {
      concerns.add(
          "durability is strict and the primary has no replica, so that no session could be"
              + " granted; add a replica or set durability to normal");
    }
    if (!whenFull.equals("noeviction")) {
      concerns.add(
          "a full Redis would throw sessions away (maxmemory-policy is %s); set it to noeviction"
              .formatted(whenFull));
    }
    return concerns;
  }

  private int majorVersion() {
    int dot = version.indexOf('.');
    String major = dot < 0 ? version : version.substring(0, dot);
    return major.matches("\\d{1,4}") ? Integer.parseInt(major) : 0;
  }
}
