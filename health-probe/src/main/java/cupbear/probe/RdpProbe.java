// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;

/**
 * Walks an RDP server through its handshake as far as it goes without credentials: negotiation,
 * TLS, MCS, channels, an empty login request. Starts no session and logs nobody in. Says nothing of
 * xrdp-sesman, Xorg or PAM, which xrdp asks only at a real login. Immutable, any thread.
 */
public final class RdpProbe {

  private final RdpSettings settings;
  private final TlsClient tls;

  public RdpProbe(RdpSettings settings) {
    this.settings = settings;
    this.tls = new TlsClient(settings.pins());
  }

  public ProbeRun start(EventLoop loop, InetSocketAddress rdp) {
    return Dialer.dial(loop, rdp, new RdpConversation(settings), settings.deadlines(), tls);
  }
}
