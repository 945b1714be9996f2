// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.serve;

import cupbear.scheduler.adapter.fly.AppInspection;
import cupbear.scheduler.adapter.redis.ServerFacts;
import cupbear.scheduler.config.Settings;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.security.TokenDirectory;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Why this scheduler should not start: everything that is surely wrong, all at once, each with what
 * to do. What cannot be told because Fly does not answer is no reason: sessions are served from
 * what is warm while Fly is away. Where to listen is checked by the listeners themselves.
 */
final class StartupChecks {
  private static final Logger LOG = LoggerFactory.getLogger(StartupChecks.class);

  private final Outfit outfit;
  private final Settings settings;

  private StartupChecks(Outfit outfit) {
    this.outfit = outfit;
    this.settings = outfit.settings().get();
  }

  static StartupChecks of(Outfit outfit) {
    return new StartupChecks(outfit);
  }

  /** One sentence for each reason; empty when there is none. */
  Future<List<String>> run() {
    List<Future<List<String>>> all = List.of(tokens(), redis(), app());
    return Future.join(all)
        .map(any -> {
          List<String> wrong = new ArrayList<>();
          all.forEach(each -> wrong.addAll(each.result()));
          return wrong;
        });
  }

  private Future<List<String>> tokens() {
    return outfit
        .vertx()
        .executeBlocking(outfit.tokens()::refresh)
        .map(found ->
            switch (found) {
              case TokenDirectory.Refresh.Kept kept -> kept.problems();
              case TokenDirectory.Refresh.Unchanged unchanged -> List.<String>of();
              case TokenDirectory.Refresh.Reloaded reloaded -> List.<String>of();
            });
  }

  /** On a Cluster each pool may live on another server. */
  private Future<List<String>> redis() {
    List<Future<List<String>>> asked = settings.pools().keySet().stream().map(this::redis).toList();
    return Future.join(asked)
        .map(any -> asked.stream().flatMap(each -> each.result().stream()).distinct().toList());
  }

  private Future<List<String>> redis(PoolName pool) {
    return outfit
        .store()
        .facts(pool)
        .map(this::judged)
        .recover(failure ->
            Future.succeededFuture(
                List.of(
                    "Redis does not answer at redis.url (%s); start it, or correct redis.url and"
                            .formatted(failure.getMessage())
                        + " CUPBEAR_REDIS_PASSWORD")));
  }

  /** What may lose or double sessions is told everywhere and refused in production. */
  private List<String> judged(ServerFacts facts) {
    List<String> concerns = facts.concerns(settings.durability() == Settings.Durability.STRICT);
    if (settings.environment() == Settings.Environment.PROD) return concerns;
    concerns.forEach(each -> LOG.atWarn().addKeyValue("concern", each).log("not for production"));
    return List.of();
  }

  private Future<List<String>> app() {
    String network = settings.fly().network();
    AppInspection.Expected expected =
        new AppInspection.Expected(
            settings.fly().app(),
            settings.fly().org(),
            settings.environment().managedBy(),
            network == null ? "" : network,
            !settings.environment().allowsLoopback());
    return AppInspection.of(outfit.fly(), expected).map(StartupChecks::fatal);
  }

  private static List<String> fatal(AppInspection.Report report) {
    List<String> fatal = new ArrayList<>();
    for (AppInspection.Finding each : report.findings()) {
      switch (each.severity()) {
        case FATAL -> fatal.add(each.toString());
        case WARNING, UNCHECKED ->
            LOG.atWarn()
                .addKeyValue("finding", each.what())
                .addKeyValue("next", each.next())
                .log("the app is not as it should be");
      }
    }
    return fatal;
  }
}
