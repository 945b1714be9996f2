// SPDX-License-Identifier: Apache-2.0
package cupbear.load.viewer;

import cupbear.gateway.Session;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.net.NetClient;
import org.jspecify.annotations.Nullable;

/**
 * Somebody looking at a desktop: a session with an open connection to the guacd of its Machine, as
 * a gateway has one. It notices when the session is lost or the connection breaks. Any thread.
 */
public final class Viewing {
  private final Session session;
  private final GuacLink link;
  private final Promise<String> disturbance = Promise.promise();

  private Viewing(Session session, GuacLink link) {
    this.session = session;
    this.link = link;
    session.onLost(refusal -> disturbance.tryComplete("lost: " + refusal));
    session.onReplaced(grant -> disturbance.tryComplete("replaced"));
    link.onEnd(disturbance::tryComplete);
  }

  /** Connects to guacd and tells the scheduler so. When it fails the session is still open. */
  public static Future<Viewing> open(NetClient net, Session session) {
    return GuacLink.open(net, session.grant())
        .compose(link ->
            session
                .connected()
                .map(told -> new Viewing(session, link))
                .onFailure(refused -> link.close()));
  }

  /** The same; a session without a viewer is given back. */
  public static Future<Viewing> begin(NetClient net, Session session) {
    return open(net, session)
        .recover(failed -> session.release().transform(released -> Future.failedFuture(failed)));
  }

  public Session session() {
    return session;
  }

  /** What went wrong with it; null while nothing has. */
  public @Nullable String disturbed() {
    return disturbance.future().result();
  }

  /** Completes with what went wrong, if anything ever does. */
  public Future<String> disturbance() {
    return disturbance.future();
  }

  public Future<Void> end() {
    return link.close().transform(closed -> session.release());
  }
}
