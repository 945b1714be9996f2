// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import cupbear.probe.ProbeResult.ProberError;
import cupbear.probe.ProbeResult.ProberError.Cause;
import cupbear.probe.ProbeResult.Refused;
import cupbear.probe.ProbeResult.TimedOut;
import cupbear.probe.ProbeResult.Unreachable;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.time.Duration;
import java.util.Locale;

/**
 * What a failed connect means. Only what the network clearly said of the Machine is held against
 * it; whatever is not understood is the prober's own error.
 */
final class ConnectFailure {

  private ConnectFailure() {}

  static ProbeResult classify(Throwable failure, Duration limit) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      String words = each.getMessage() == null ? "" : each.getMessage().toLowerCase(Locale.ROOT);
      if (words.contains("too many open files")) return own(Cause.NO_DESCRIPTORS);
      if (each instanceof BindException || words.contains("cannot assign requested address")) {
        return own(Cause.NO_PORT);
      }
      if (each instanceof NoRouteToHostException) return new Unreachable();
      if (words.contains("network is unreachable")) return new Unreachable();
      if (words.contains("timed out")) return new TimedOut(ProbeStep.CONNECT, 0, 0, limit);
      if (each instanceof ConnectException) return new Refused();
    }
    return new ProberError(Cause.INTERNAL, failure.getClass().getSimpleName());
  }

  private static ProbeResult own(Cause cause) {
    return new ProberError(cause, "");
  }
}
