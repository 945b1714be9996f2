// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import java.util.List;
import java.util.Locale;

/** Every call of the API: its route, what it is limited by, how long it takes. */
public enum Action {
  LIST_APPS("GET", "/v1/apps", Limit.TOKEN, Step.READ),
  CREATE_APP("POST", "/v1/apps", Limit.TOKEN, Step.CALL),
  GET_APP("GET", "/v1/apps/:app", Limit.APP, Step.READ),
  DELETE_APP("DELETE", "/v1/apps/:app", Limit.APP_DELETE, Step.CALL),
  LIST("GET", "/v1/apps/:app/machines", Limit.APP, Step.LIST),
  CREATE("POST", "/v1/apps/:app/machines", Limit.APP, Step.CREATE),
  GET("GET", "/v1/apps/:app/machines/:machine", Limit.GET_MACHINE, Step.READ),
  UPDATE("POST", "/v1/apps/:app/machines/:machine", Limit.MACHINE, Step.CALL),
  DELETE("DELETE", "/v1/apps/:app/machines/:machine", Limit.MACHINE, Step.CALL),
  START("POST", "/v1/apps/:app/machines/:machine/start", Limit.MACHINE, Step.CALL),
  STOP("POST", "/v1/apps/:app/machines/:machine/stop", Limit.MACHINE, Step.CALL),
  SUSPEND("POST", "/v1/apps/:app/machines/:machine/suspend", Limit.MACHINE, Step.CALL),
  RESTART("POST", "/v1/apps/:app/machines/:machine/restart", Limit.MACHINE, Step.CALL),
  SIGNAL("POST", "/v1/apps/:app/machines/:machine/signal", Limit.MACHINE, Step.CALL),
  EXEC("POST", "/v1/apps/:app/machines/:machine/exec", Limit.MACHINE, Step.EXEC),
  WAIT("GET", "/v1/apps/:app/machines/:machine/wait", Limit.MACHINE, Step.READ),
  CORDON("POST", "/v1/apps/:app/machines/:machine/cordon", Limit.MACHINE, Step.CALL),
  UNCORDON("POST", "/v1/apps/:app/machines/:machine/uncordon", Limit.MACHINE, Step.CALL),
  GET_LEASE("GET", "/v1/apps/:app/machines/:machine/lease", Limit.MACHINE, Step.READ),
  ACQUIRE_LEASE("POST", "/v1/apps/:app/machines/:machine/lease", Limit.MACHINE, Step.READ),
  RELEASE_LEASE("DELETE", "/v1/apps/:app/machines/:machine/lease", Limit.MACHINE, Step.READ),
  GET_METADATA("GET", "/v1/apps/:app/machines/:machine/metadata", Limit.MACHINE, Step.READ),
  PATCH_METADATA("PATCH", "/v1/apps/:app/machines/:machine/metadata", Limit.MACHINE, Step.READ),
  PUT_METADATA("PUT", "/v1/apps/:app/machines/:machine/metadata", Limit.MACHINE, Step.READ),
  GET_METADATA_KEY(
      "GET", "/v1/apps/:app/machines/:machine/metadata/:key", Limit.MACHINE, Step.READ),
  SET_METADATA_KEY(
      "POST", "/v1/apps/:app/machines/:machine/metadata/:key", Limit.MACHINE, Step.READ),
  DELETE_METADATA_KEY(
      "DELETE", "/v1/apps/:app/machines/:machine/metadata/:key", Limit.MACHINE, Step.READ),
  EVENTS("GET", "/v1/apps/:app/machines/:machine/events", Limit.MACHINE, Step.READ),
  VERSIONS("GET", "/v1/apps/:app/machines/:machine/versions", Limit.MACHINE, Step.READ),
  PS("GET", "/v1/apps/:app/machines/:machine/ps", Limit.MACHINE, Step.READ),
  LIST_VOLUMES("GET", "/v1/apps/:app/volumes", Limit.APP, Step.READ),
  LIST_IPS("GET", "/v1/apps/:app/ip_assignments", Limit.APP, Step.READ),
  ASSIGN_IP("POST", "/v1/apps/:app/ip_assignments", Limit.APP, Step.CALL),
  RELEASE_IP("DELETE", "/v1/apps/:app/ip_assignments/:ip", Limit.APP, Step.CALL),
  LIST_ORG("GET", "/v1/orgs/:org/machines", Limit.ORG, Step.LIST),
  REGIONS("GET", "/v1/platform/regions", Limit.TOKEN, Step.READ),
  PLACEMENTS("POST", "/v1/platform/placements", Limit.TOKEN, Step.LIST),
  CURRENT_TOKEN("GET", "/v1/tokens/current", Limit.TOKEN, Step.READ);

  /** Whose bucket a call is taken from. */
  enum Limit {
    TOKEN,
    ORG,
    APP,
    MACHINE,
    GET_MACHINE,
    APP_DELETE
  }

  private final String method;
  private final String path;
  private final Limit limit;
  private final Step step;

  Action(String method, String path, Limit limit, Step step) {
    this.method = method;
    this.path = path;
    this.limit = limit;
    this.step = step;
  }

  public String method() {
    return method;
  }

  /** The route, with {@code :name} for what varies. */
  public String path() {
    return path;
  }

  Limit limit() {
    return limit;
  }

  Step step() {
    return step;
  }

  String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  boolean isOnMachine() {
    return path.contains(":machine");
  }

  boolean isOnApp() {
    return path.contains(":app");
  }

  /** Whether the Machine's host must answer; all else is known centrally. */
  boolean needsHost() {
    return List.of(UPDATE, DELETE, START, STOP, SUSPEND, RESTART, SIGNAL, EXEC, PS).contains(this);
  }

  /** Which bucket name is shared: both spellings of the metadata merge are one call. */
  Action limitedAs() {
    return this == PUT_METADATA ? PATCH_METADATA : this;
  }
}
