// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a Machine is made from. An update replaces it whole, so fields that we have no name for are
 * kept in {@code other} and go back as they came: read, change with {@link #edit}, send.
 *
 * @param guest null when Fly shall choose
 * @param restart null when Fly's default (on-failure) shall hold
 * @param stopConfig null when Fly's default shall hold
 */
public record MachineConfig(
    String image,
    Map<String, String> env,
    @Nullable Guest guest,
    @Nullable Restart restart,
    @Nullable Stop stopConfig,
    boolean autoDestroy,
    String schedule,
    Map<String, Check> checks,
    List<Service> services,
    List<Map<String, Object>> mounts,
    Map<String, String> metadata,
    @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

  public MachineConfig {
    image = Absent.text(image);
    env = Absent.map(env);
    schedule = Absent.text(schedule);
    checks = Absent.map(checks);
    services = Absent.list(services);
    mounts = Absent.list(mounts);
    metadata = Absent.map(metadata);
    other = Absent.map(other);
  }

  public static Draft of(String image) {
    return new Draft(image);
  }

  /** A draft that starts from this configuration. */
  public Draft edit() {
    Draft draft = new Draft(image);
    draft.env.putAll(env);
    draft.guest = guest;
    draft.restart = restart;
    draft.stop = stopConfig;
    draft.autoDestroy = autoDestroy;
    draft.schedule = schedule;
    draft.checks.putAll(checks);
    draft.services = services;
    draft.mounts = mounts;
    draft.metadata.putAll(metadata);
    draft.other.putAll(other);
    return draft;
  }

  /** A configuration in the making; not for sharing between threads. */
  public static final class Draft {

    private String image;
    private final Map<String, String> env = new LinkedHashMap<>();
    private @Nullable Guest guest;
    private @Nullable Restart restart;
    private @Nullable Stop stop;
    private boolean autoDestroy;
    private String schedule = "";
    private final Map<String, Check> checks = new LinkedHashMap<>();
    private List<Service> services = List.of();
    private List<Map<String, Object>> mounts = List.of();
    private final Map<String, String> metadata = new LinkedHashMap<>();
    private final Map<String, Object> other = new LinkedHashMap<>();

    private Draft(String image) {
      this.image = image;
    }

    public Draft image(String reference) {
      this.image = reference;
      return this;
    }

    public Draft env(String name, String value) {
      env.put(name, value);
      return this;
    }

    public Draft guest(Guest size) {
      this.guest = size;
      return this;
    }

    public Draft restart(Restart policy) {
      this.restart = policy;
      return this;
    }

    public Draft stop(Stop how) {
      this.stop = how;
      return this;
    }

    public Draft autoDestroy(boolean afterExit) {
      this.autoDestroy = afterExit;
      return this;
    }

    public Draft check(String name, Check check) {
      checks.put(name, check);
      return this;
    }

    public Draft metadata(String key, String value) {
      metadata.put(key, value);
      return this;
    }

    /** A field that this client has no name for, as plain maps, lists, texts and numbers. */
    public Draft other(String field, Object value) {
      other.put(field, value);
      return this;
    }

    public MachineConfig build() {
      return new MachineConfig(
          image,
          env,
          guest,
          restart,
          stop,
          autoDestroy,
          schedule,
          checks,
          services,
          mounts,
          metadata,
          other);
    }
  }
}
