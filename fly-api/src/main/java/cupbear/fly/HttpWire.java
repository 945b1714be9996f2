// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.ext.web.client.HttpRequest;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.client.WebClientOptions;
import io.vertx.ext.web.client.WebClientSession;
import java.net.URI;
import java.time.Duration;

/**
 * The Vert.x Web Client behind a {@link Wire}. Keeps cookies, as Fly uses them to lead a client
 * back to the instance it wrote to; follows no redirect, as the token must not travel with it.
 */
final class HttpWire implements Wire {

  private static final Duration CONNECT = Duration.ofSeconds(3);

  /** Below the idle time of Fly's proxy: a connection it closes under us is a lost request. */
  private static final int KEEP_ALIVE_SECONDS = 30;

  private final WebClient http;
  private final WebClientSession session;
  private final RequestOptions target;

  HttpWire(Vertx vertx, FlyConfig config) {
    URI base = config.base();
    boolean tls = "https".equals(base.getScheme());
    String host = base.getHost().replaceAll("^\\[|]$", "");
    int port = base.getPort() > 0 ? base.getPort() : tls ? 443 : 80;
    int connections = config.pacing().inFlight() + config.pacing().longPolls();
    this.http =
        WebClient.create(
            vertx,
            new WebClientOptions()
                .setConnectTimeout((int) CONNECT.toMillis())
                .setKeepAliveTimeout(KEEP_ALIVE_SECONDS)
                .setDecompressionSupported(true)
                .setVerifyHost(true)
                .setUserAgentEnabled(false)
                .setFollowRedirects(false),
            new PoolOptions().setHttp1MaxSize(connections));
    this.session = WebClientSession.create(http);
    this.target = new RequestOptions().setHost(host).setPort(port).setSsl(tls);
  }

  @Override
  public Future<Answer> send(Outgoing out) {
    RequestOptions where = new RequestOptions(target).setURI(out.uri());
    HttpRequest<Buffer> request =
        session
            .request(HttpMethod.valueOf(out.method()), where)
            .timeout(Math.max(1, out.timeout().toMillis()));
    out.headers().forEach(request::putHeader);
    Future<HttpResponse<Buffer>> answer =
        out.body().length() == 0 ? request.send() : request.sendBuffer(out.body());
    return answer.map(HttpWire::answer);
  }

  private static Answer answer(HttpResponse<Buffer> response) {
    String id = response.getHeader("fly-request-id");
    Buffer body = response.bodyAsBuffer();
    return new Answer(
        response.statusCode(), id == null ? "" : id, body == null ? Buffer.buffer() : body);
  }

  @Override
  public Future<Void> close() {
    http.close();
    return Future.succeededFuture();
  }
}
