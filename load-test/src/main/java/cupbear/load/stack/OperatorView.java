// SPDX-License-Identifier: Apache-2.0
package cupbear.load.stack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pools as an operator sees them through the API, by the first scheduler that answers. Blocks;
 * any thread.
 */
public final class OperatorView {
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(4);
  private static final long LOOK_EVERY_MS = 100;

  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

  private final List<String> apis;
  private final String token;

  /** One regional pool. */
  public record RegionView(
      String pool,
      String region,
      int warmMin,
      int warmMax,
      @Nullable String leader,
      JsonObject counts,
      int unhealthy,
      int queue,
      JsonArray findings) {
    public int count(String standing) {
      return counts.getInteger(standing, 0);
    }

    /** As many warm Machines as there must be, and somebody who looks after them. */
    public boolean isWhole() {
      return count("warm") >= warmMin && leader != null;
    }
  }

  /** One Machine. */
  public record MachineView(
      String id,
      String pool,
      String region,
      String state,
      Instant since,
      String version,
      @Nullable String address) {}

  public OperatorView(List<String> apis, String token) {
    this.apis = List.copyOf(apis);
    this.token = token;
  }

  /** Empty when nobody answers, or the store cannot be asked. */
  public Optional<List<RegionView>> regions() throws InterruptedException {
    return get("/v1/pools")
        .map(body ->
            objects(body.getJsonArray("pools"))
                .flatMap(pool ->
                    objects(pool.getJsonArray("regions"))
                        .map(region -> region(pool.getString("name"), region)))
                .toList());
  }

  private static RegionView region(String pool, JsonObject region) {
    JsonObject leader = region.getJsonObject("leader");
    return new RegionView(
        pool,
        region.getString("region"),
        region.getInteger("warm_min"),
        region.getInteger("warm_max"),
        leader == null ? null : leader.getString("replica"),
        region.getJsonObject("counts"),
        region.getInteger("unhealthy"),
        region.getInteger("queue_depth"),
        region.getJsonArray("findings"));
  }

  /** Empty when nobody answers. */
  public Optional<List<MachineView>> machines() throws InterruptedException {
    return get("/v1/machines?limit=500")
        .map(body ->
            objects(body.getJsonArray("machines"))
                .map(each ->
                    new MachineView(
                        each.getString("id"),
                        each.getString("pool"),
                        each.getString("region"),
                        each.getString("state"),
                        Instant.parse(each.getString("since")),
                        each.getString("template_version"),
                        each.getString("address")))
                .toList());
  }

  /** Waits until the regions are as wanted; false when they were not within the time. */
  public boolean await(Predicate<List<RegionView>> wanted, Duration within)
      throws InterruptedException {
    long until = System.nanoTime() + within.toNanos();
    while (System.nanoTime() - until < 0) {
      if (regions().filter(wanted).isPresent()) return true;
      Thread.sleep(LOOK_EVERY_MS);
    }
    return false;
  }

  public boolean awaitWhole(Duration within) throws InterruptedException {
    return await(regions -> regions.stream().allMatch(RegionView::isWhole), within);
  }

  /** The answer to a GET; empty for anything but 200. */
  public Optional<JsonObject> get(String path) throws InterruptedException {
    for (String api : apis) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(api + path))
              .timeout(ANSWER_WITHIN)
              .header("Authorization", "Bearer " + token)
              .build();
      try {
        HttpResponse<String> answer = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() == 200) return Optional.of(new JsonObject(answer.body()));
      } catch (IOException notThere) {
        // The next one may be.
      }
    }
    return Optional.empty();
  }

  private static Stream<JsonObject> objects(JsonArray array) {
    return array.stream().map(JsonObject.class::cast);
  }
}
