// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.serve;

import cupbear.scheduler.app.Pools;
import cupbear.scheduler.app.Supervisor;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * One Vert.x context for the supervisor and one for each regional pool: what runs on one of them
 * runs one after another. Made once; pools and regions come and go only with a restart.
 */
final class LoopThreads implements Supervisor.Threads {
  private record Key(PoolName pool, Region region) {}

  private final Context home;
  private final Map<Key, Context> loops;

  private LoopThreads(Context home, Map<Key, Context> loops) {
    this.home = home;
    this.loops = Map.copyOf(loops);
  }

  static Future<LoopThreads> start(Vertx vertx, Pools pools) {
    Map<Key, Context> loops = new ConcurrentHashMap<>();
    Map<String, Context> homes = new ConcurrentHashMap<>();
    List<Future<?>> all = new ArrayList<>();
    all.add(context(vertx).onSuccess(context -> homes.put("", context)));
    pools
        .all()
        .values()
        .forEach(pool ->
            pool.regions()
                .keySet()
                .forEach(region ->
                    all.add(
                        context(vertx)
                            .onSuccess(made -> loops.put(new Key(pool.name(), region), made)))));
    return Future.all(all)
        .map(any ->
            new LoopThreads(java.util.Objects.requireNonNull(homes.get("")), new HashMap<>(loops)));
  }

  /** A verticle is the public way to a context of one's own. */
  private static Future<Context> context(Vertx vertx) {
    Place place = new Place();
    return vertx.deployVerticle(place).map(any -> place.context());
  }

  private static final class Place extends VerticleBase {
    private Context context() {
      return context;
    }
  }

  @Override
  public Executor home() {
    return on(home);
  }

  @Override
  public Executor loop(PoolName pool, Region region) {
    Context context = loops.get(new Key(pool, region));
    if (context == null) {
      throw new IllegalArgumentException(
          "no thread for %s in %s; it was declared after the start".formatted(pool, region));
    }
    return on(context);
  }

  private static Executor on(Context context) {
    return work -> context.runOnContext(any -> work.run());
  }
}
