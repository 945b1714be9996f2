// SPDX-License-Identifier: Apache-2.0
package cupbear.load.dev;

import cupbear.gateway.Cupbear;
import cupbear.gateway.SessionRequest;
import cupbear.load.stack.LocalStack;
import cupbear.load.stack.SchedulerProcess;
import cupbear.load.stack.StackPlan;
import cupbear.load.viewer.Viewing;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A gentle stream of viewers, so that there is something to see: one comes every few seconds, stays
 * for a while and leaves. Runs on the stack's event loops.
 */
final class DemoTraffic implements AutoCloseable {
  private static final Duration BETWEEN_LEAST = Duration.ofSeconds(1);
  private static final Duration BETWEEN_MOST = Duration.ofSeconds(5);
  private static final Duration STAYS_LEAST = Duration.ofSeconds(5);
  private static final Duration STAYS_MOST = Duration.ofSeconds(25);

  private final Vertx vertx;
  private final Cupbear cupbear;
  private final NetClient net;
  private final List<String> regions;
  private final AtomicInteger served = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private volatile boolean ended;

  DemoTraffic(LocalStack stack) {
    this.vertx = stack.vertx();
    this.net = vertx.createNetClient();
    this.regions = stack.plan().regions().stream().map(StackPlan.Bounds::region).toList();
    this.cupbear = gateway(stack);
  }

  /** A gateway that knows all schedulers. */
  static Cupbear gateway(LocalStack stack) {
    return gateway(stack, Duration.ofSeconds(30));
  }

  /**
   * The same.
   *
   * @param deadline of each request
   */
  static Cupbear gateway(LocalStack stack, Duration deadline) {
    var builder =
        Cupbear.builder().vertx(stack.vertx()).token(stack.gatewayToken()).deadline(deadline);
    stack.schedulers().stream().map(SchedulerProcess::api).forEach(builder::url);
    return builder.build();
  }

  void start() {
    if (ended) return;
    String region = regions.get(ThreadLocalRandom.current().nextInt(regions.size()));
    cupbear
        .acquire(SessionRequest.of("viewers").in(region))
        .compose(session -> Viewing.begin(net, session))
        .onSuccess(viewing -> {
          served.incrementAndGet();
          vertx.setTimer(between(STAYS_LEAST, STAYS_MOST), any -> viewing.end());
        })
        .onFailure(any -> refused.incrementAndGet());
    vertx.setTimer(between(BETWEEN_LEAST, BETWEEN_MOST), any -> start());
  }

  private static long between(Duration least, Duration most) {
    return ThreadLocalRandom.current().nextLong(least.toMillis(), most.toMillis());
  }

  int served() {
    return served.get();
  }

  int refused() {
    return refused.get();
  }

  /** All sessions are given back. */
  @Override
  public void close() {
    ended = true;
    cupbear.close();
  }
}
