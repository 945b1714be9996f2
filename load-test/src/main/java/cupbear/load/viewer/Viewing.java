// SPDX-License-Identifier: Apache-2.0
package cupbear.load.viewer;

import cupbear.gateway.Session;
import io.vertx.core.Future;
import io.vertx.core.net.NetClient;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Somebody looking at a desktop: a session with an open connection to the guacd of its Machine, as
 * a gateway has one. It notices when the session is lost or the connection breaks. Any thread.
 */
public final class Viewing {
  private final Session session;
  private final GuacLink link;
  private final AtomicReference<@Nullable String> disturbed = new AtomicReference<>();

  private Viewing(Session session, GuacLink link) {
    this.session = session;
    this.link = link;
    session.onLost(refusal -> disturbed.compareAndSet(null, "lost: " + refusal));
    session.onReplaced(grant -> disturbed.compareAndSet(null, "replaced"));
    link.onEnd(why -> disturbed.compareAndSet(null, why));
  }

  /** Connects to guacd and tells the scheduler so; a session without a viewer is given back. */
  public static Future<Viewing> begin(NetClient net, Session session) {
    return GuacLink.open(net, session.grant())
        .compose(link -> session.connected().map(told -> new Viewing(session, link)))
        .recover(failed -> session.release().transform(released -> Future.failedFuture(failed)));
  }

  public Session session() {
    return session;
  }

  /** What went wrong with it; null while nothing has. */
  public @Nullable String disturbed() {
    return disturbed.get();
  }

  public Future<Void> end() {
    return link.close().transform(closed -> session.release());
  }
}
