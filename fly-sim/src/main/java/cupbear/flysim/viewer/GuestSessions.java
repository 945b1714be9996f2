// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundInvoker;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Who is connected to one Machine, and what a connection is judged by. Used on the Machine's event
 * loop only.
 */
final class GuestSessions {

  private final GuestSystem guest;
  // Written on the event loop, read by whoever asks.
  private volatile Answered answered = Answered.NOTHING;
  private final Set<Channel> channels = new HashSet<>();
  private final Set<String> guacIds = new HashSet<>();

  GuestSessions(GuestSystem guest) {
    this.guest = guest;
  }

  GuestSystem guest() {
    return guest;
  }

  Answered answered() {
    return answered;
  }

  void guacdAnswered() {
    answered = new Answered(answered.guacd() + 1, answered.rdp());
  }

  void rdpAnswered() {
    answered = new Answered(answered.guacd(), answered.rdp() + 1);
  }

  /** The Machine starts: nobody has asked it anything. */
  void nothingAnswered() {
    answered = Answered.NOTHING;
  }

  /** Ids of the Guacamole connections that are open; a second client may join one. */
  Set<String> guacIds() {
    return guacIds;
  }

  void add(Channel channel) {
    channels.add(channel);
    var unused = channel.closeFuture().addListener(closed -> channels.remove(channel));
  }

  /** A copy: whatever is done to a channel may take it off the list. */
  List<Channel> all() {
    return List.copyOf(channels);
  }

  /** Drops everybody at once: a Machine that goes away sends no farewell, in TLS or slowly. */
  void end() {
    all().forEach(channel -> Outgoing.close(nextToSocket(channel)));
  }

  private static ChannelOutboundInvoker nextToSocket(Channel channel) {
    ChannelHandlerContext first = channel.pipeline().firstContext();
    return first == null ? channel : first;
  }
}
