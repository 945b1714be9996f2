// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import io.netty.channel.Channel;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Who is connected to one Machine, and what a connection is judged by. Used on the Machine's event
 * loop only.
 */
final class GuestSessions {

  private final GuestSystem guest;
  private final Set<Channel> channels = new HashSet<>();
  private final Set<String> guacIds = new HashSet<>();

  GuestSessions(GuestSystem guest) {
    this.guest = guest;
  }

  GuestSystem guest() {
    return guest;
  }

  /** Ids of the Guacamole connections that are open; a second client may join one. */
  Set<String> guacIds() {
    return guacIds;
  }

  void add(Channel channel) {
    channels.add(channel);
    var unused = channel.closeFuture().addListener(closed -> channels.remove(channel));
  }

  int count() {
    return channels.size();
  }

  /** A copy: whatever is done to a channel may take it off the list. */
  List<Channel> all() {
    return List.copyOf(channels);
  }

  void end() {
    all().forEach(Outgoing::close);
  }
}
