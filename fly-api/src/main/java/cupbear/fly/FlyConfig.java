// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import cupbear.fly.model.Secret;
import java.net.URI;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * How to reach Fly and how hard to try. Start with {@link #of}, change what differs.
 *
 * @param base {@code https://api.machines.dev}, or {@code http://_api.internal:4280} inside 6PN
 * @param token asked for each request, so a new token needs no restart
 * @param userAgent who we say we are
 * @param dice from 0 to 1, for jitter
 */
public record FlyConfig(
    URI base,
    Supplier<Secret> token,
    String userAgent,
    Pacing pacing,
    RetryRule retry,
    BreakerRule breaker,
    FlyHooks hooks,
    DoubleSupplier dice) {

  /** The API from anywhere. */
  public static final URI PUBLIC = URI.create("https://api.machines.dev");

  /** The API from inside 6PN or WireGuard. */
  public static final URI INTERNAL = URI.create("http://_api.internal:4280");

  /**
   * Fly's published limits, and ours.
   *
   * @param rates where an action's rate differs from the usual one
   * @param inFlight requests on the wire at once, long polls aside
   * @param keptForUrgent how many of these only an urgent call may use
   * @param longPolls open {@code wait} requests, which cost Fly and us next to nothing
   * @param waiting calls that may queue; beyond, they fail at once
   */
  public record Pacing(
      Rate usual,
      Map<Action, Rate> rates,
      int inFlight,
      int keptForUrgent,
      int longPolls,
      int waiting) {

    public static final Pacing USUAL =
        new Pacing(Rate.USUAL, Map.of(Action.GET_MACHINE, Rate.GET_MACHINE), 32, 8, 512, 2048);

    public Pacing {
      rates = Map.copyOf(rates);
      if (keptForUrgent < 0 || keptForUrgent >= inFlight) {
        throw new IllegalArgumentException(
            "kept for urgent is " + keptForUrgent + "; at least 0, less than " + inFlight);
      }
    }

    public Pacing rate(Action action, Rate rate) {
      Map<Action, Rate> more = new EnumMap<>(Action.class);
      more.putAll(rates);
      more.put(action, rate);
      return new Pacing(usual, more, inFlight, keptForUrgent, longPolls, waiting);
    }

    public Pacing usual(Rate rate) {
      return new Pacing(rate, rates, inFlight, keptForUrgent, longPolls, waiting);
    }

    /** All rates so many times as fast, for accounts whose limits differ. */
    public Pacing times(double factor) {
      Map<Action, Rate> scaled = new EnumMap<>(Action.class);
      rates.forEach((action, rate) -> scaled.put(action, rate.times(factor)));
      return new Pacing(usual.times(factor), scaled, inFlight, keptForUrgent, longPolls, waiting);
    }

    public Pacing inFlight(int requests, int urgentOnly) {
      return new Pacing(usual, rates, requests, urgentOnly, longPolls, waiting);
    }

    Rate rateOf(Action action) {
      return rates.getOrDefault(action, usual);
    }
  }

  public FlyConfig {
    String scheme = base.getScheme();
    if (base.getHost() == null || !("http".equals(scheme) || "https".equals(scheme))) {
      throw new IllegalArgumentException(
          "the Fly API address must be like " + PUBLIC + " or " + INTERNAL + ", not " + base);
    }
    if (base.getRawUserInfo() != null) {
      throw new IllegalArgumentException("no user or password in the Fly API address, please");
    }
  }

  public static FlyConfig of(URI base, Supplier<Secret> token) {
    return new FlyConfig(
        base,
        token,
        "cupbear-fly-api/" + version(),
        Pacing.USUAL,
        RetryRule.USUAL,
        BreakerRule.USUAL,
        FlyHooks.NONE,
        () -> ThreadLocalRandom.current().nextDouble());
  }

  public FlyConfig userAgent(String name) {
    return new FlyConfig(base, token, name, pacing, retry, breaker, hooks, dice);
  }

  public FlyConfig pacing(Pacing limits) {
    return new FlyConfig(base, token, userAgent, limits, retry, breaker, hooks, dice);
  }

  public FlyConfig retry(RetryRule rule) {
    return new FlyConfig(base, token, userAgent, pacing, rule, breaker, hooks, dice);
  }

  public FlyConfig breaker(BreakerRule rule) {
    return new FlyConfig(base, token, userAgent, pacing, retry, rule, hooks, dice);
  }

  public FlyConfig hooks(FlyHooks listener) {
    return new FlyConfig(base, token, userAgent, pacing, retry, breaker, listener, dice);
  }

  public FlyConfig dice(DoubleSupplier thrower) {
    return new FlyConfig(base, token, userAgent, pacing, retry, breaker, hooks, thrower);
  }

  private static String version() {
    String fromManifest = FlyConfig.class.getPackage().getImplementationVersion();
    return fromManifest == null ? "dev" : fromManifest;
  }

  /** Without the token supplier, whose own text we do not know. */
  @Override
  public String toString() {
    return "FlyConfig[" + base + ", " + userAgent + ", " + pacing + "]";
  }
}
