// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import java.util.concurrent.CompletionStage;

/**
 * A probe under way. Both stages complete normally whatever happens, on the probe's event loop: do
 * not block in what you attach to them.
 */
public interface ProbeRun {

  /** The verdict. */
  CompletionStage<ProbeReport> report();

  /** When the socket is closed; up to the drain deadline after the verdict. */
  CompletionStage<Void> closed();

  /** Ends it soon with {@link ProbeResult.ProberError}; no effect once there is a verdict. */
  void cancel();
}
