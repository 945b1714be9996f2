// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import cupbear.scheduler.model.Region;
import cupbear.scheduler.security.BindGuard.Resolver;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Where gateways are, as a name server that is a map says. */
class GatewayRegionsTest {
  private static final String IAD = "fdaa:9:d844:a7b:2::3";
  private static final String NRT = "fdaa:9:d844:a7b:7::2";

  private final Vertx vertx = Vertx.vertx();
  private final Map<String, List<String>> names = new ConcurrentHashMap<>();
  private final Resolver dns =
      host -> {
        List<String> found = names.get(host);
        if (found == null) throw new UnknownHostException(host);
        InetAddress[] all = new InetAddress[found.size()];
        for (int i = 0; i < all.length; i++) all[i] = InetAddress.getByName(found.get(i));
        return all;
      };

  @AfterEach
  void close() {
    await().until(vertx.close()::isComplete);
  }

  private GatewayRegions looking(String... apps) {
    GatewayRegions regions = GatewayRegions.of(vertx, List.of(apps), dns);
    look(regions);
    return regions;
  }

  private static void look(GatewayRegions regions) {
    await().until(regions.look()::isComplete);
  }

  @Test
  @DisplayName("a gateway's address tells its region, however it is written")
  void known() {
    names.put("iad.edge.internal", List.of(IAD));
    names.put("nrt.other.internal", List.of(NRT));
    try (GatewayRegions regions = looking("edge", "other")) {
      assertThat(regions.regionOf(IAD)).contains(new Region("iad"));
      assertThat(regions.regionOf("FDAA:0009:d844:0a7b:0002:0000:0000:0003"))
          .contains(new Region("iad"));
      assertThat(regions.regionOf(NRT)).contains(new Region("nrt"));
    }
  }

  @Test
  @DisplayName("of other addresses nothing is known, and no name server is asked about them")
  void unknown() {
    names.put("iad.edge.internal", List.of(IAD));
    try (GatewayRegions regions = looking("edge")) {
      for (String each : List.of("fdaa:9:d844:a7b:2::4", "10.0.0.1", "localhost", "fdaa::zz")) {
        assertThat(regions.regionOf(each)).as(each).isEmpty();
      }
    }
  }

  @Test
  @DisplayName("without the names of gateways nothing is known")
  void nobodySaid() {
    names.put("iad.edge.internal", List.of(IAD));
    try (GatewayRegions regions = looking()) {
      assertThat(regions.regionOf(IAD)).isEmpty();
    }
  }

  @Test
  @DisplayName("a gateway that moves is found again; a name server that is away takes nothing back")
  void changes() {
    names.put("iad.edge.internal", List.of(IAD));
    try (GatewayRegions regions = looking("edge")) {
      names.clear();
      look(regions);
      assertThat(regions.regionOf(IAD)).contains(new Region("iad"));
      names.put("nrt.edge.internal", List.of(NRT));
      look(regions);
      assertThat(regions.regionOf(NRT)).contains(new Region("nrt"));
      assertThat(regions.regionOf(IAD)).isEmpty();
    }
  }
}
