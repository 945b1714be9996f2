// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import java.time.Duration;
import java.util.Locale;

/**
 * How all viewers of one process listen and answer.
 *
 * @param addressing one loopback address per Machine, or one address and many ports
 * @param guacdPort guacd's port where every Machine has its own address
 * @param rdpPort the RDP port where every Machine has its own address
 * @param rdpSecurity what the RDP server offers
 * @param dripEvery the pause before each byte in drip mode
 * @param guacdPatience how long guacd waits for a handshake before it hangs up
 */
public record ViewerSettings(
    Addressing addressing,
    int guacdPort,
    int rdpPort,
    RdpSecurity rdpSecurity,
    Duration dripEvery,
    Duration guacdPatience) {

  /** How Machines are told apart on this computer. */
  public enum Addressing {
    /** 127.x.y.z with the well-known ports; Linux answers on the whole of 127.0.0.0/8. */
    OWN_ADDRESS,
    /** 127.0.0.1 with ports chosen by the kernel, for systems that know only that address. */
    OWN_PORTS
  }

  /** What guacd listens on in every image. */
  public static final int GUACD_PORT = 4822;

  /** What RDP servers listen on in every image. */
  public static final int RDP_PORT = 3389;

  private static final int PORT_MAX = 65_535;

  public ViewerSettings {
    requirePort("guacdPort", guacdPort);
    requirePort("rdpPort", rdpPort);
    if (guacdPort == rdpPort) {
      throw new IllegalArgumentException(
          "guacdPort and rdpPort are both " + rdpPort + "; give each service a port of its own");
    }
    if (!dripEvery.isPositive() || !guacdPatience.isPositive()) {
      throw new IllegalArgumentException("dripEvery and guacdPatience must be longer than zero");
    }
  }

  /** The defaults for this operating system; the pauses are those of the recorded servers. */
  public static ViewerSettings standard() {
    boolean linux = System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux");
    return new ViewerSettings(
        linux ? Addressing.OWN_ADDRESS : Addressing.OWN_PORTS,
        GUACD_PORT,
        RDP_PORT,
        RdpSecurity.NEGOTIATE,
        Duration.ofMillis(200),
        Duration.ofSeconds(15));
  }

  public ViewerSettings withAddressing(Addressing other) {
    return new ViewerSettings(other, guacdPort, rdpPort, rdpSecurity, dripEvery, guacdPatience);
  }

  public ViewerSettings withPorts(int guacd, int rdp) {
    return new ViewerSettings(addressing, guacd, rdp, rdpSecurity, dripEvery, guacdPatience);
  }

  public ViewerSettings withRdpSecurity(RdpSecurity other) {
    return new ViewerSettings(addressing, guacdPort, rdpPort, other, dripEvery, guacdPatience);
  }

  public ViewerSettings withDripEvery(Duration other) {
    return new ViewerSettings(addressing, guacdPort, rdpPort, rdpSecurity, other, guacdPatience);
  }

  public ViewerSettings withGuacdPatience(Duration other) {
    return new ViewerSettings(addressing, guacdPort, rdpPort, rdpSecurity, dripEvery, other);
  }

  private static void requirePort(String name, int port) {
    if (port < 1 || port > PORT_MAX) {
      throw new IllegalArgumentException(name + " is " + port + "; choose 1 to " + PORT_MAX);
    }
  }
}
