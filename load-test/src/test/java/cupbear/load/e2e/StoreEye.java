// SPDX-License-Identifier: Apache-2.0
package cupbear.load.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.load.stack.LocalStack;
import cupbear.redis.RedisAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.resps.StreamEntry;

/** Looks into the one Redis of a stack, past the schedulers. The test's thread. */
final class StoreEye {
  private final RedisAddress address;

  /** One line of the journal. */
  record Line(String kind, String machine, String session, String why) {
    private static Line of(Map<String, String> fields) {
      return new Line(
          fields.getOrDefault("kind", ""),
          fields.getOrDefault("machine", ""),
          fields.getOrDefault("session", ""),
          fields.getOrDefault("why", ""));
    }
  }

  StoreEye(LocalStack stack) {
    this.address = stack.redis().orElseThrow().address();
  }

  Map<String, String> machine(String pool, String id) {
    return hash("cb:{%s}:machine:%s".formatted(pool, id));
  }

  Map<String, String> session(String pool, String id) {
    return hash("cb:{%s}:session:%s".formatted(pool, id));
  }

  private Map<String, String> hash(String key) {
    try (Jedis redis = address.connect()) {
      return redis.hgetAll(key);
    }
  }

  /** Is this text anywhere in the store? */
  boolean holds(String text) {
    try (Jedis redis = address.connect()) {
      for (String key : redis.keys("*")) {
        byte[] value = redis.dump(key.getBytes(StandardCharsets.UTF_8));
        if (value != null && new String(value, StandardCharsets.ISO_8859_1).contains(text)) {
          return true;
        }
      }
      return false;
    }
  }

  /** Has a request with this key been taken? */
  boolean holdsKey(String pool, String key) {
    try (Jedis redis = address.connect()) {
      return redis.keys("cb:{%s}:idem:*".formatted(pool)).stream()
          .anyMatch(each -> each.endsWith(":" + key));
    }
  }

  /** Who leads and under which epoch; empty when nobody does. */
  String leader(String pool, String region) {
    try (Jedis redis = address.connect()) {
      String leader = redis.get("cb:{%s}:leader:%s".formatted(pool, region));
      return leader == null ? "" : leader;
    }
  }

  void flush() {
    try (Jedis redis = address.connect()) {
      redis.flushAll();
    }
  }

  /** Everything that happened in a pool, in its order. */
  List<Line> journal(String pool) {
    try (Jedis redis = address.connect()) {
      return redis.xrange("cb:{%s}:journal".formatted(pool), "-", "+").stream()
          .map(StreamEntry::getFields)
          .map(Line::of)
          .toList();
    }
  }

  /** Every Machine was warm when it was given out, and proven anew since its last session. */
  void assertOnlyWarmOnesGranted(String pool) {
    Set<String> warm = new HashSet<>();
    List<Line> wrong = new ArrayList<>();
    for (Line line : journal(pool)) {
      switch (line.kind()) {
        case "machine.proven", "session.withdrawn" -> warm.add(line.machine());
        case "machine.doubted", "machine.retired", "machine.condemned", "machine.restarted" ->
            warm.remove(line.machine());
        case "session.granted", "session.replaced" -> {
          if (!warm.remove(line.machine())) wrong.add(line);
        }
        default -> {}
      }
    }
    assertThat(wrong).as("grants of Machines that were not warm").isEmpty();
  }

  /** How many were left each time an idle Machine was taken out of service. */
  List<Integer> idleLeftAfterEachRetirement(String pool) {
    Set<String> idle = new HashSet<>();
    List<Integer> left = new ArrayList<>();
    for (Line line : journal(pool)) {
      switch (line.kind()) {
        // One that is doubted for a moment is still there; nobody took it out.
        case "machine.proven", "session.withdrawn" -> idle.add(line.machine());
        case "session.granted", "session.replaced", "machine.condemned" ->
            idle.remove(line.machine());
        case "machine.retired" -> {
          if (idle.remove(line.machine())) left.add(idle.size());
        }
        default -> {}
      }
    }
    return left;
  }
}
