// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import cupbear.scheduler.model.Template;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a new configuration changes.
 *
 * @param live may change under a running scheduler
 * @param restart may not; as long as there is one of these, nothing is taken over
 * @param refused would break a promise, restart or not
 */
public record Reload(List<Change> live, List<Change> restart, List<Problem> refused) {
  public Reload {
    live = List.copyOf(live);
    restart = List.copyOf(restart);
    refused = List.copyOf(refused);
  }

  /** One key; a null value says that it was or is not there. */
  public record Change(String path, @Nullable String before, @Nullable String after) {
    @Override
    public String toString() {
      return "%s: %s → %s"
          .formatted(path, before == null ? "-" : before, after == null ? "-" : after);
    }
  }

  public boolean isNothing() {
    return live.isEmpty() && restart.isEmpty() && refused.isEmpty();
  }

  public boolean isLive() {
    return restart.isEmpty() && refused.isEmpty();
  }

  /** All differences, in the order of the new configuration. */
  public static Reload compare(Configuration.Valid before, Configuration.Valid after) {
    Map<String, Effective> old = byPath(before);
    Map<String, Effective> now = byPath(after);
    Set<String> paths = new LinkedHashSet<>(now.keySet());
    paths.addAll(old.keySet());
    List<Change> live = new ArrayList<>();
    List<Change> restart = new ArrayList<>();
    for (String path : paths) {
      Effective was = old.get(path);
      Effective is = now.get(path);
      Change change =
          new Change(path, was == null ? null : was.value(), is == null ? null : is.value());
      if (was != null && is != null && was.value().equals(is.value())) continue;
      Effective any = is != null ? is : java.util.Objects.requireNonNull(was);
      (isLive(any.key(), was == null || is == null) ? live : restart).add(change);
    }
    return new Reload(live, restart, sameVersion(before, after));
  }

  /** A required key that comes or goes means that a pool or a region does: loops start and stop. */
  private static boolean isLive(Key<?> key, boolean comesOrGoes) {
    boolean ofAList = key.path().contains("<n>");
    return key.live() && (!comesOrGoes || !key.isRequired() || ofAList);
  }

  /** Machines of one version must be alike; a roll is how they come to differ. */
  private static List<Problem> sameVersion(Configuration.Valid before, Configuration.Valid after) {
    List<Problem> refused = new ArrayList<>();
    after
        .settings()
        .pools()
        .forEach((name, pool) -> {
          PoolSettings was = before.settings().pools().get(name);
          if (was == null || was.template().equals(pool.template())) return;
          Template then = was.template();
          if (!then.version().equals(pool.template().version())) return;
          String path = PoolKeys.VERSION.at(List.of(name.value()));
          String rule = "the template changed; give it a new version, which rolls the pool";
          Effective at = java.util.Objects.requireNonNull(byPath(after).get(path));
          refused.add(new Problem(at.origin(), path, at.value(), rule, null));
        });
    return refused;
  }

  private static Map<String, Effective> byPath(Configuration.Valid configuration) {
    Map<String, Effective> byPath = new LinkedHashMap<>();
    configuration.effective().forEach(each -> byPath.put(each.path(), each));
    return byPath;
  }
}
