// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.config.Settings;
import cupbear.scheduler.security.BindGuard;
import cupbear.scheduler.security.ListenAddress;
import cupbear.scheduler.security.TokenBuckets;
import java.net.InetAddress;
import java.time.Duration;

/**
 * Where the API listens and what a caller may cost.
 *
 * @param guard says whether we may listen there
 * @param loops event loops that share the API's port
 * @param streamsMost readers of events at once
 */
public record ApiConfig(
    ListenAddress api,
    ListenAddress ops,
    BindGuard guard,
    Settings.Limits limits,
    Duration finishWithin,
    int loops,
    int streamsMost) {
  /** Path and query together. Ours are shorter than 300; no setting needs to change this. */
  static final int URI_MOST = 2048;

  private static final int STREAMS_MOST = 100;

  static ApiConfig of(Settings settings, int loops) {
    return new ApiConfig(
        settings.listen().api(),
        settings.listen().ops(),
        new BindGuard(InetAddress::getAllByName, settings.environment().allowsLoopback()),
        settings.limits(),
        settings.finishWithin(),
        loops,
        STREAMS_MOST);
  }

  /** As the settings say, on as many event loops as there are processors. */
  public static ApiConfig of(Settings settings) {
    return of(settings, Runtime.getRuntime().availableProcessors());
  }

  TokenBuckets.Share share() {
    return new TokenBuckets.Share(limits.ratePerSecond(), limits.burst());
  }

  /** Head and body come in one go; a body may take twice as long as a head. */
  Duration bodyWithin() {
    return limits.headerTimeout().multipliedBy(2);
  }
}
