// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.serve;

import cupbear.scheduler.api.ApiParts;
import cupbear.scheduler.config.Settings;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.security.BindGuard.Resolver;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Knows in which region a gateway is, by its 6PN address: Fly's DNS names all addresses of an app
 * in a region {@code <region>.<app>.internal}. Asked now and then, off the event loops; a lookup
 * reads what was found last. Nothing is ever dialled, and an address that is not found is nobody's
 * fault: the pool's first region is tried first then.
 */
final class GatewayRegions implements ApiParts.Locator, AutoCloseable {
  /** A new gateway's users are sent to the pool's first region for so long at most. */
  private static final Duration EVERY = Duration.ofSeconds(30);

  private final Vertx vertx;
  private final List<String> apps;
  private final Resolver dns;
  private final long timer;
  private volatile Map<InetAddress, Region> known = Map.of();

  private GatewayRegions(Vertx vertx, List<String> apps, Resolver dns) {
    this.vertx = vertx;
    this.apps = apps;
    this.dns = dns;
    this.timer = vertx.setPeriodic(EVERY.toMillis(), any -> look());
  }

  /**
   * Looks from now on.
   *
   * @param apps the Fly apps of the gateways
   */
  static GatewayRegions of(Vertx vertx, List<String> apps, Resolver dns) {
    GatewayRegions regions = new GatewayRegions(vertx, apps, dns);
    regions.look();
    return regions;
  }

  Future<Void> look() {
    if (apps.isEmpty()) return Future.succeededFuture();
    return vertx
        .executeBlocking(this::found, false)
        .map(now -> {
          // An answer with nobody in it is more likely a DNS that is away than a world without
          // gateways.
          if (!now.isEmpty()) known = now;
          return null;
        });
  }

  private Map<InetAddress, Region> found() {
    Map<InetAddress, Region> found = new HashMap<>();
    for (String app : apps) {
      for (Region region : Settings.Fly.regions()) {
        for (InetAddress each : addresses("%s.%s.internal".formatted(region, app))) {
          found.put(each, region);
        }
      }
    }
    return Map.copyOf(found);
  }

  private InetAddress[] addresses(String name) {
    try {
      return dns.resolve(name);
    } catch (UnknownHostException nobodyThere) {
      return new InetAddress[0];
    }
  }

  @Override
  public Optional<Region> regionOf(String address) {
    Map<InetAddress, Region> all = known;
    // With a colon in it the JDK reads an address and never asks a name server.
    if (all.isEmpty() || !address.contains(":")) return Optional.empty();
    try {
      return Optional.ofNullable(all.get(InetAddress.getByName(address)));
    } catch (UnknownHostException noAddress) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    vertx.cancelTimer(timer);
  }
}
