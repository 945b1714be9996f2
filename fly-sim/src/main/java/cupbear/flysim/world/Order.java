// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

/** Every call of the control API: what can be asked of the simulator itself, and its route. */
public enum Order {
  INFO("GET", "/sim"),
  LIST_FAULTS("GET", "/sim/faults"),
  ADD_FAULT("POST", "/sim/faults"),
  CLEAR_FAULTS("DELETE", "/sim/faults"),
  CLEAR_FAULT("DELETE", "/sim/faults/:id"),
  GET_SWITCHES("GET", "/sim/switches"),
  SET_SWITCHES("PATCH", "/sim/switches"),
  GET_LATENCIES("GET", "/sim/latencies"),
  SET_LATENCIES("PATCH", "/sim/latencies"),
  DUMP("GET", "/sim/machines"),
  DUMP_ONE("GET", "/sim/machines/:machine"),
  CRASH("POST", "/sim/machines/:machine/crash"),
  HOST_DOWN("POST", "/sim/machines/:machine/host_down"),
  HOST_UP("POST", "/sim/machines/:machine/host_up"),
  MIGRATE("POST", "/sim/machines/:machine/migrate"),
  VIEWER("POST", "/sim/machines/:machine/viewer"),
  HOLD_LEASE("POST", "/sim/machines/:machine/lease"),
  DNS("GET", "/sim/dns"),
  RESET("POST", "/sim/reset");

  private final String method;
  private final String path;

  Order(String method, String path) {
    this.method = method;
    this.path = path;
  }

  public String method() {
    return method;
  }

  /** The route, with {@code :name} for what varies. */
  public String path() {
    return path;
  }
}
