// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import cupbear.probe.GuacdConversation.Question;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.util.Set;

/**
 * Asks guacd something that only a working guacd answers. A kernel completes TCP for a stopped
 * process, so the answer is the proof, not the connection. Immutable, any thread.
 */
public final class GuacdProbe {

  private final GuacdSettings settings;
  // guacd is spoken to in the clear; the handler wants one all the same.
  private final TlsClient tls = new TlsClient(Set.of());

  public GuacdProbe(GuacdSettings settings) {
    this.settings = settings;
  }

  /** One round trip, no child process: for every round. */
  public ProbeRun start(EventLoop loop, InetSocketAddress guacd) {
    return ask(Question.GHOST, loop, guacd);
  }

  /**
   * Whether the RDP plugin loads. guacd forks for it, so once per boot is enough; the child is made
   * to end at once.
   */
  public ProbeRun startPluginCheck(EventLoop loop, InetSocketAddress guacd) {
    return ask(Question.PLUGIN, loop, guacd);
  }

  private ProbeRun ask(Question question, EventLoop loop, InetSocketAddress guacd) {
    Conversation talk = new GuacdConversation(question, settings.oldIsAlive());
    return Dialer.dial(loop, guacd, talk, settings.deadlines(), tls);
  }
}
