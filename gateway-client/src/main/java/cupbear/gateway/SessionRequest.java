// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is asked for. Start with {@link #of} and add what matters:
 *
 * <pre>{@code
 * SessionRequest.of("viewers").in("iad", "lhr").tenant("acme").waiting(Duration.ofSeconds(10))
 * }</pre>
 *
 * @param regions in order of preference; empty leaves the choice to the scheduler
 * @param clientAddress your own 6PN address ({@code FLY_PRIVATE_IP}); when no region is wished for,
 *     the scheduler begins with yours, if its operator told it of your app
 * @param tenant for whom; the queue is fair across tenants
 * @param waitAtMost how long to queue when nothing is warm; the scheduler's default when null
 * @param labels what the pool must be labelled with
 */
public record SessionRequest(
    String pool,
    List<String> regions,
    @Nullable String clientAddress,
    @Nullable String tenant,
    @Nullable Duration waitAtMost,
    Map<String, String> labels) {

  /** What the scheduler takes when a request names no wait. */
  static final Duration DEFAULT_WAIT = Duration.ofSeconds(5);

  static final Duration MAX_WAIT = Duration.ofSeconds(30);

  public SessionRequest {
    if (pool.isBlank()) throw new IllegalArgumentException("pool is empty; name one");
    boolean tooLong = waitAtMost != null && waitAtMost.compareTo(MAX_WAIT) > 0;
    if (tooLong || (waitAtMost != null && waitAtMost.isNegative())) {
      throw new IllegalArgumentException(
          "wait is " + waitAtMost + "; it must be between 0 and 30 s");
    }
    regions = List.copyOf(regions);
    labels = Map.copyOf(labels);
  }

  public static SessionRequest of(String pool) {
    return new SessionRequest(pool, List.of(), null, null, null, Map.of());
  }

  /** The regions that you would like, best first. */
  public SessionRequest in(String... preferred) {
    return new SessionRequest(pool, List.of(preferred), clientAddress, tenant, waitAtMost, labels);
  }

  public SessionRequest from(String address) {
    return new SessionRequest(pool, regions, address, tenant, waitAtMost, labels);
  }

  public SessionRequest tenant(String name) {
    return new SessionRequest(pool, regions, clientAddress, name, waitAtMost, labels);
  }

  public SessionRequest waiting(Duration atMost) {
    return new SessionRequest(pool, regions, clientAddress, tenant, atMost, labels);
  }

  public SessionRequest label(String name, String value) {
    Map<String, String> more = new TreeMap<>(labels);
    more.put(name, value);
    return new SessionRequest(pool, regions, clientAddress, tenant, waitAtMost, more);
  }

  Duration longestWait() {
    return waitAtMost == null ? DEFAULT_WAIT : waitAtMost;
  }

  JsonObject toJson() {
    JsonObject json = new JsonObject().put("pool", pool);
    if (regions.size() == 1) {
      json.put("region", regions.getFirst());
    } else if (!regions.isEmpty()) {
      json.put("region", new JsonArray(regions));
    }
    if (clientAddress != null) json.put("client_address", clientAddress);
    if (tenant != null) json.put("tenant", tenant);
    if (waitAtMost != null) json.put("wait", DurationText.write(waitAtMost));
    if (!labels.isEmpty()) json.put("labels", new JsonObject(new TreeMap<>(labels)));
    return json;
  }
}
