// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import java.util.Set;

/**
 * How to probe one kind of RDP server. Immutable; begin with {@link #standard()}.
 *
 * @param depth how far to go
 * @param offer what the request offers
 * @param challenge whether an NLA server must also send its CredSSP challenge
 * @param host what kind of server it is thought to be
 * @param pins the certificates it may show; none given means any, as viewers sign their own
 */
public record RdpSettings(
    Depth depth,
    RdpOffer offer,
    boolean challenge,
    Host host,
    Set<CertificatePin> pins,
    Deadlines deadlines) {

  /** What going past TLS would do to the server. */
  public enum Host {
    /** Stop at TLS when the confirm's flags look like Windows. */
    AUTO,
    /** xrdp or FreeRDP: nothing starts before a login. */
    XRDP,
    /** A logon-screen session may begin behind TLS, so never go there. */
    WINDOWS
  }

  public RdpSettings {
    pins = Set.copyOf(pins);
  }

  public static RdpSettings standard() {
    return new RdpSettings(
        Depth.LOGIN, RdpOffer.TLS_NLA, false, Host.AUTO, Set.of(), Deadlines.standard());
  }

  public RdpSettings withDepth(Depth other) {
    return new RdpSettings(other, offer, challenge, host, pins, deadlines);
  }

  public RdpSettings withOffer(RdpOffer other) {
    return new RdpSettings(depth, other, challenge, host, pins, deadlines);
  }

  public RdpSettings withChallenge(boolean wanted) {
    return new RdpSettings(depth, offer, wanted, host, pins, deadlines);
  }

  public RdpSettings withHost(Host other) {
    return new RdpSettings(depth, offer, challenge, other, pins, deadlines);
  }

  public RdpSettings withPins(CertificatePin... allowed) {
    return new RdpSettings(depth, offer, challenge, host, Set.of(allowed), deadlines);
  }

  public RdpSettings withDeadlines(Deadlines other) {
    return new RdpSettings(depth, offer, challenge, host, pins, other);
  }
}
