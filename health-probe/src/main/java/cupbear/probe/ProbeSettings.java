// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

/**
 * How a {@link ProbePipeline} works.
 *
 * @param inFlightMax rounds under way at once, over all Machines
 * @param waitingMax rounds that may wait for their turn; beyond, they are declined
 * @param threads event loops; one is enough for thousands of Machines
 */
public record ProbeSettings(
    GuacdSettings guacd, RdpSettings rdp, int inFlightMax, int waitingMax, int threads) {

  private static final int IN_FLIGHT_MAX = 128;
  private static final int WAITING_MAX = 8192;

  public ProbeSettings {
    if (inFlightMax < 1 || waitingMax < 0 || threads < 1) {
      throw new IllegalArgumentException("limits of a pipeline must let at least one probe run");
    }
  }

  public static ProbeSettings standard() {
    return new ProbeSettings(
        GuacdSettings.standard(), RdpSettings.standard(), IN_FLIGHT_MAX, WAITING_MAX, 1);
  }

  public ProbeSettings withGuacd(GuacdSettings other) {
    return new ProbeSettings(other, rdp, inFlightMax, waitingMax, threads);
  }

  public ProbeSettings withRdp(RdpSettings other) {
    return new ProbeSettings(guacd, other, inFlightMax, waitingMax, threads);
  }

  public ProbeSettings withLimits(int inFlight, int waiting) {
    return new ProbeSettings(guacd, rdp, inFlight, waiting, threads);
  }
}
