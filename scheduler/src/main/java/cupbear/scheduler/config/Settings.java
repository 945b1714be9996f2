// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import cupbear.scheduler.core.Atlas;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.security.ListenAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All settings of one scheduler: checked, immutable, without a secret in them.
 *
 * @param finishWithin how long requests in flight have at SIGTERM
 */
public record Settings(
    Environment environment,
    Fly fly,
    Redis redis,
    Listen listen,
    Durability durability,
    Path tokenFile,
    Limits limits,
    Duration finishWithin,
    Map<PoolName, PoolSettings> pools) {
  public Settings {
    pools = Collections.unmodifiableMap(new LinkedHashMap<>(pools));
  }

  /** Which of our worlds this is. They share nothing. */
  public enum Environment {
    DEMO,
    STAGING,
    PROD;

    public String word() {
      return Kind.wordOf(this);
    }

    /** Only on a developer's machine may the API listen on loopback. */
    public boolean allowsLoopback() {
      return this == DEMO;
    }

    /** The tag that says a Machine is ours. */
    public String managedBy() {
      return "cupbear/" + word();
    }
  }

  /** How sure a claim must be before it is answered. */
  public enum Durability {
    NORMAL,
    STRICT
  }

  /** Fly's kinds of CPU. */
  public enum CpuKind {
    SHARED,
    PERFORMANCE
  }

  /**
   * The app whose Machines are ours.
   *
   * @param network the custom 6PN network it has to be on; null when nobody said
   * @param pace times Fly's published rates
   * @param gateways apps of those who ask for sessions, as far as somebody said
   */
  public record Fly(
      String app,
      String org,
      @Nullable String network,
      URI api,
      double pace,
      List<String> gateways) {
    public Fly {
      gateways = List.copyOf(gateways);
    }

    /** All there are: a gateway may be where no viewer is. */
    public static Set<Region> regions() {
      return Atlas.FLY.places().keySet();
    }
  }

  /**
   * The store.
   *
   * @param url {@code redis(s)://}, {@code redis(s)-sentinel://} or {@code redis(s)-cluster://}; a
   *     text, because a list of hosts is no URI
   */
  public record Redis(String url, @Nullable String username) {}

  public record Listen(ListenAddress api, ListenAddress ops) {}

  /** What a caller may cost us. */
  public record Limits(
      int bodyBytes,
      int depth,
      int headerBytes,
      Duration headerTimeout,
      Duration idleTimeout,
      int ratePerSecond,
      int burst) {}

  /** The tags that all Machines of this environment carry. */
  public Map<String, String> tags() {
    return Map.of("app", fly.app(), "managed_by", environment.managedBy());
  }
}
