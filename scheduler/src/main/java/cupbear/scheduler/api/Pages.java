// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.api.Route.Call;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Pages that need no token: health, documentation, problems; and metrics on the ops listener. */
final class Pages {
  private static final String FOLDER = "/cupbear-docs/";
  private static final String TEXT = "text/plain";

  private final ApiParts.Showing showing;
  private final InFlight inFlight;
  private final Buffer openapi = Buffer.buffer(resource("openapi.yaml"));
  private final DocsPage docs = DocsPage.of(openapi.toString());
  private final Map<String, Buffer> problems = new TreeMap<>();

  Pages(ApiParts.Showing showing, InFlight inFlight) {
    this.showing = showing;
    this.inFlight = inFlight;
    Stream.of(ProblemType.values())
        .map(ProblemType::slug)
        .forEach(slug -> problems.put(slug, Buffer.buffer(resource("problems/" + slug + ".md"))));
  }

  private static byte[] resource(String name) {
    try (InputStream in = Pages.class.getResourceAsStream(FOLDER + name)) {
      if (in == null) throw new IllegalStateException("the build left out docs/" + name);
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<Route> routes() {
    return List.of(
        Route.page("/livez", TEXT, this::live),
        Route.page("/readyz", TEXT, this::ready),
        Route.page("/docs", "text/html", this::docs),
        Route.page("/openapi.yaml", "application/yaml", this::openapi),
        Route.page("/problems/{type}", "text/markdown", this::problem));
  }

  List<Route> opsRoutes() {
    return List.of(
        Route.page("/livez", TEXT, this::live),
        Route.page("/readyz", TEXT, this::ready),
        Route.page("/metrics", TEXT, this::metrics));
  }

  private void live(Call call) {
    text(call, 200, "ok\n");
  }

  private void ready(Call call) {
    call.exchange()
        .with(
            Queries.verbose(call.query()),
            verbose -> {
              StringBuilder lines = new StringBuilder();
              boolean ready = !inFlight.isDraining();
              for (ReadyCheck check : showing.checks()) {
                ReadyCheck.Finding found = check.look();
                ready &= found.ready();
                lines.append(found.ready() ? "[+] " : "[-] ").append(found.words()).append('\n');
              }
              lines.append(inFlight.isDraining() ? "[-] draining\n" : "[+] accepting requests\n");
              String verdict = ready ? "ok\n" : "not ready\n";
              text(call, ready ? 200 : 503, verbose ? lines + verdict : verdict);
            });
  }

  private void metrics(Call call) {
    if (showing.scrape() == null) {
      call.exchange().problem(Problem.notFound("meter here; metrics are switched off"));
    } else {
      call.exchange()
          .page(
              200,
              "text/plain; version=0.0.4; charset=utf-8",
              Buffer.buffer(showing.scrape().get()));
    }
  }

  private static void text(Call call, int status, String text) {
    call.exchange().page(status, "text/plain; charset=utf-8", Buffer.buffer(text));
  }

  private void docs(Call call) {
    call.exchange()
        .begin(200)
        .ifPresent(response -> {
          response.headers().set("Content-Type", "text/html; charset=utf-8");
          response.headers().set("Content-Security-Policy", docs.policy());
          response.end(docs.html());
        });
  }

  private void openapi(Call call) {
    call.exchange().page(200, "application/yaml", openapi);
  }

  private void problem(Call call) {
    Buffer page = problems.get(call.path("type"));
    if (page == null) call.exchange().problem(Problem.notFound("problem of this name"));
    else call.exchange().page(200, "text/markdown; charset=utf-8", page);
  }
}
