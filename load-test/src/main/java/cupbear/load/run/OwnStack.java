// SPDX-License-Identifier: Apache-2.0
package cupbear.load.run;

import cupbear.load.stack.LocalStack;
import cupbear.load.stack.SchedulerProcess;
import cupbear.load.stack.StackPlan;
import cupbear.load.stack.StackPlan.Bounds;
import cupbear.load.stack.StackPlan.Pool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** What {@code cupbear load} puts under load when it is given nothing else. Its owner's thread. */
final class OwnStack implements AutoCloseable {
  private static final Duration WARM_WITHIN = Duration.ofMinutes(4);

  /** Boots, stops and lags take a twentieth of their time. */
  private static final double SPEED = 20;

  /**
   * Fly's request rates grow with the speed, or a minute of it would take a minute all the same.
   */
  private static final double PACE = 20;

  /** The bounds that the pool grows and shrinks within, as a share of warm_min. */
  private static final double HEADROOM = 1.4;

  /** Below what systems give to outgoing connections, so that a port is still free after a kill. */
  private static final int PORTS_FROM = 20_000;

  private static final int PORTS_UNTIL = 30_000;
  private static final int PORT_TRIES = 50;
  private static final int REPLICAS = 2;

  private final LocalStack stack;
  private final Gateways gateways;
  private final Stage stage;

  private OwnStack(LocalStack stack) {
    this.stack = stack;
    List<String> urls = stack.schedulers().stream().map(SchedulerProcess::api).toList();
    this.gateways = new Gateways(stack.vertx(), urls, stack.gatewayToken());
    this.stage = new Stage(stack);
  }

  /** Returns when everything is up and the pool is warm. */
  static OwnStack start(StackPlan plan) throws IOException, InterruptedException {
    LocalStack stack = LocalStack.start(plan);
    OwnStack own = new OwnStack(stack);
    if (stack.view().awaitWhole(WARM_WITHIN)) return own;
    own.close();
    throw new IOException("the pool was not warm within %d min".formatted(WARM_WITHIN.toMinutes()));
  }

  LocalStack stack() {
    return stack;
  }

  Target target() {
    return new Target(
        stack.vertx(),
        gateways,
        stack.view(),
        StackPlan.VIEWERS,
        stack.plan().regions(),
        true,
        stage);
  }

  @Override
  public void close() {
    gateways.close();
    stack.close();
  }

  /** Spare Machines for a burst of all sessions, in three regions: 60 for 50 sessions. */
  static List<Bounds> regions(int sessions) {
    int all = Math.max(6, (int) Math.ceil(1.2 * sessions));
    int first = all / 2;
    int second = all / 3;
    return List.of(
        bounds("iad", first), bounds("lhr", second), bounds("nrt", all - first - second));
  }

  private static Bounds bounds(String region, int warm) {
    return new Bounds(region, warm, (int) Math.ceil(HEADROOM * warm));
  }

  /**
   * @param store sentinels cost six processes, so only who needs them gets them
   */
  static StackPlan plan(int sessions, StackPlan.Store store) throws IOException {
    int port = ports();
    return StackPlan.DEMO
        .withReplicas(REPLICAS)
        .withPorts(port, port + REPLICAS)
        .withSpeed(SPEED)
        .withPace(PACE)
        .withStore(store)
        .withPools(
            Pool.of(StackPlan.VIEWERS, regions(sessions).toArray(Bounds[]::new))
                .with("probe: {depth: tls}"))
        .withMore(
            """
            reconcile: {every: 1s, max_actions: 1000}
            health: {proving_every: 250ms, boot_deadline: 20s, host_grace: 3s}
            recycle: {lost_grace: 2s}
            sessions: {lease: 12s}
            """);
  }

  /** The first of as many neighbouring ports as all listeners need. */
  private static int ports() throws IOException {
    Random dice = new Random();
    for (int i = 0; i < PORT_TRIES; i++) {
      int first = dice.nextInt(PORTS_FROM, PORTS_UNTIL);
      if (allFree(first)) return first;
    }
    throw new IOException(
        "found no free ports between %d and %d".formatted(PORTS_FROM, PORTS_UNTIL));
  }

  private static boolean allFree(int first) {
    for (int port = first; port < first + 2 * REPLICAS; port++) {
      try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        probe.setReuseAddress(true);
      } catch (IOException taken) {
        return false;
      }
    }
    return true;
  }
}
