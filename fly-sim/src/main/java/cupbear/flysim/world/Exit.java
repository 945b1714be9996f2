// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.node.ObjectNode;
import cupbear.flysim.world.Switches.ExitPlace;
import java.time.Instant;

/** How the process inside a Machine ended. */
record Exit(int code, boolean oomKilled, boolean requestedStop) {

  static Exit requested() {
    return new Exit(0, false, true);
  }

  /** The request part of an exit event; an out-of-memory kill shows guest_exit_code 0. */
  ObjectNode payload(Instant at, boolean restarting, int restartCount, ExitPlace under) {
    ObjectNode request = Json.object();
    ObjectNode place =
        switch (under) {
          case REQUEST -> request;
          case MONITOR_EVENT -> request.putObject("MonitorEvent");
        };
    place
        .putObject("exit_event")
        .put("exit_code", code)
        .put("guest_exit_code", oomKilled ? 0 : code)
        .put("guest_signal", -1)
        .put("signal", -1)
        .put("oom_killed", oomKilled)
        .put("requested_stop", requestedStop)
        .put("restarting", restarting)
        .put("exited_at", at.toString())
        .put("error", "")
        .put("guest_error", "");
    return request.put("restart_count", restartCount);
  }
}
