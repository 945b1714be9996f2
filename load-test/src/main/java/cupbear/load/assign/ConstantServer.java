// SPDX-License-Identifier: Apache-2.0
package cupbear.load.assign;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The ceiling: a server that reads the body of every request and answers with the same bytes as a
 * session would be, and does nothing else.
 */
final class ConstantServer {
  private static final String ANSWER =
      """
      {"id":"ses_bench_00000000000000000000000000","pool":"bench","region":"iad","machine":\
      {"id":"00000000000000","address":"fdaa:0:1::2",\
      "host":"00000000000000.vm.cupbear-viewer.internal","guacd_port":4822,"rdp_port":3389},\
      "credentials":{"username":"viewer","password":"a-one-time-password"},\
      "epoch":1700000000000000,"queue_ms":0,\
      "lease":{"expires_at":"2026-01-01T00:00:00.000Z","renew_within":"20s"},\
      "confirm_within":"30s","receipt":"%s"}\
      """
          .formatted("0".repeat(400));

  private final AtomicInteger port = new AtomicInteger();

  static ConstantServer start(Vertx vertx, int loops) {
    ConstantServer server = new ConstantServer();
    for (int i = 0; i < loops; i++) Waits.get(vertx.deployVerticle(server.loop(), options()));
    return server;
  }

  private static DeploymentOptions options() {
    return new DeploymentOptions();
  }

  int port() {
    return port.get();
  }

  private AbstractVerticle loop() {
    return new AbstractVerticle() {
      @Override
      public void start(Promise<Void> started) {
        Buffer answer = Buffer.buffer(ANSWER);
        Future<?> listening =
            vertx
                .createHttpServer()
                .requestHandler(request ->
                    request
                        .body()
                        .onSuccess(body ->
                            request
                                .response()
                                .setStatusCode(201)
                                .putHeader("Content-Type", "application/json")
                                .putHeader("Cache-Control", "no-store")
                                .end(answer)))
                .listen(port.get(), "127.0.0.1")
                .onSuccess(server -> port.set(server.actualPort()));
        listening.<Void>mapEmpty().onComplete(started);
      }
    };
  }
}
