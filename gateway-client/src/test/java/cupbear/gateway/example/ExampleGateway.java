// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway.example;

import cupbear.gateway.Cupbear;
import cupbear.gateway.Grant;
import cupbear.gateway.Refusal;
import cupbear.gateway.Session;
import cupbear.gateway.SessionRequest;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;

/** A gateway in one file: each WebSocket gets a Machine, and is piped to the guacd on it. */
public final class ExampleGateway {
  private static final short TRY_AGAIN_LATER = 1013;
  private static final short INTERNAL_ERROR = 1011;

  private final Vertx vertx;
  private final Cupbear cupbear;
  private final NetClient toMachines;

  public ExampleGateway(Vertx vertx, Cupbear cupbear) {
    this.vertx = vertx;
    this.cupbear = cupbear;
    this.toMachines = vertx.createNetClient(new NetClientOptions().setConnectTimeout(2000));
  }

  public Future<HttpServer> listen(int port, String address) {
    return vertx.createHttpServer().webSocketHandler(this::serve).listen(port, address);
  }

  private void serve(ServerWebSocket user) {
    user.pause(); // what the user types meanwhile is kept
    Promise<Void> left = Promise.promise();
    user.closeHandler(closed -> left.complete());
    cupbear
        .acquire(SessionRequest.of("viewers").in("iad", "lhr"), left.future())
        .onSuccess(session -> begin(user, left.future(), session))
        .onFailure(failure -> turnAway(user, Refusal.of(failure)));
  }

  private void begin(ServerWebSocket user, Future<Void> left, Session session) {
    left.onComplete(gone -> session.close()); // however it ends, the Machine goes back
    session.onLost(why -> user.close(INTERNAL_ERROR, "the Machine was lost"));
    connect(session)
        .onSuccess(guacd -> bridge(user, left, session, guacd))
        .onFailure(failure -> user.close(INTERNAL_ERROR, "no Machine could be reached"));
  }

  private Future<NetSocket> connect(Session session) {
    return dial(session.grant())
        .recover(failure ->
            session
                .fail("guacd cannot be reached: " + failure.getMessage(), true)
                .compose(replacement -> dial(replacement.orElseThrow())));
  }

  private Future<NetSocket> dial(Grant grant) {
    return toMachines.connect(grant.machine().guacdPort(), grant.machine().address());
  }

  private void bridge(ServerWebSocket user, Future<Void> left, Session session, NetSocket guacd) {
    if (left.isComplete()) {
      guacd.close();
      return;
    }
    user.pipeTo(guacd); // each pipe closes its end when the other one closes
    guacd.pipeTo(user);
    user.resume();
    session.connected();
  }

  private void turnAway(ServerWebSocket user, Refusal why) {
    boolean busy = why instanceof Refusal.NoCapacity || why instanceof Refusal.QueueFull;
    user.close(busy ? TRY_AGAIN_LATER : INTERNAL_ERROR, busy ? "all viewers are busy" : "sorry");
  }
}
