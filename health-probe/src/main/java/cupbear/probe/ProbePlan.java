// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

/**
 * What to ask of one viewer, in this order.
 *
 * @param guacd guacd's answer to a connection that cannot exist
 * @param plugin guacd's RDP plugin, once per boot
 * @param rdp the RDP handshake
 * @param untilFirstFailure whether a failure spares the questions behind it
 */
public record ProbePlan(boolean guacd, boolean plugin, boolean rdp, boolean untilFirstFailure) {

  /** A viewer with a user on it: leave RDP alone. */
  public static final ProbePlan GUACD = new ProbePlan(true, false, false, true);

  public static final ProbePlan GUACD_THEN_RDP = new ProbePlan(true, false, true, true);

  /** The first round after a boot. */
  public static final ProbePlan FIRST = new ProbePlan(true, true, true, true);

  /** Everything, also behind a failure: for a person who looks into something. */
  public static final ProbePlan INQUIRY = new ProbePlan(true, true, true, false);

  public ProbePlan {
    if (!guacd && !plugin && !rdp) throw new IllegalArgumentException("a plan asks something");
  }

  boolean has(ViewerReport.Part part) {
    return switch (part) {
      case GUACD -> guacd;
      case PLUGIN -> plugin;
      case RDP -> rdp;
    };
  }
}
