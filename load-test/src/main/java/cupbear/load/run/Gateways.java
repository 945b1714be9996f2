// SPDX-License-Identifier: Apache-2.0
package cupbear.load.run;

import cupbear.gateway.Cupbear;
import cupbear.gateway.CupbearBuilder;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionException;

/**
 * The gateways that users come through: clients of the real library, each with an event loop of its
 * own and another scheduler to begin with. Any thread.
 */
final class Gateways implements AutoCloseable {
  private static final int COUNT = 4;

  /** How long a request is repeated before its user is told no. */
  private static final Duration DEADLINE = Duration.ofSeconds(40);

  private final List<Gateway> all = new ArrayList<>();
  private final Vertx vertx;
  private final NetClient net;

  /** One client and the event loop on which it lives. */
  record Gateway(Cupbear cupbear, Context home) {}

  /**
   * @param urls of all schedulers
   */
  Gateways(Vertx vertx, List<String> urls, String token) {
    this.vertx = vertx;
    this.net = vertx.createNetClient();
    for (int i = 0; i < COUNT; i++) {
      List<String> order = new ArrayList<>(urls);
      Collections.rotate(order, -i);
      all.add(wait(made(order, token)));
    }
  }

  /** Made on a new event loop, so that it stays there. */
  private Future<Gateway> made(List<String> urls, String token) {
    Promise<Gateway> made = Promise.promise();
    // Each verticle gets the next event loop.
    vertx
        .deployVerticle(
            new io.vertx.core.VerticleBase() {
              @Override
              public Future<?> start() {
                CupbearBuilder builder =
                    Cupbear.builder().vertx(vertx).token(token).deadline(DEADLINE);
                urls.forEach(builder::url);
                made.complete(new Gateway(builder.build(), context));
                return Future.succeededFuture();
              }
            })
        .onFailure(made::tryFail);
    return made.future();
  }

  Gateway of(int arrival) {
    return all.get(arrival % all.size());
  }

  NetClient net() {
    return net;
  }

  /** Gives back whatever is still open. */
  @Override
  public void close() {
    wait(
        Future.join(all.stream().map(each -> each.cupbear().shutdown()).toList())
            .transform(any -> net.close()));
  }

  private static <T> T wait(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().join();
    } catch (CompletionException e) {
      throw new IllegalStateException("a gateway did not come up or go down", e.getCause());
    }
  }
}
