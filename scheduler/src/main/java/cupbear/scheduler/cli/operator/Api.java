// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import cupbear.scheduler.cli.BuildInfo;
import cupbear.scheduler.security.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The API of the schedulers. A name with several addresses (as {@code cupbear.internal} on Fly) is
 * several replicas: any of them answers for all, and where one is down the next is asked. One
 * thread; holds connections only.
 */
public final class Api implements AutoCloseable {
  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(3);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(15);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** One address that was or can be asked. */
  record Server(URI base) {
    @Override
    public String toString() {
      return base.toString();
    }
  }

  private final List<URI> bases;
  private final Secret token;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(CONNECT_WITHIN)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();
  private @Nullable Server lastGood;

  Api(List<URI> bases, Secret token) {
    this.bases = List.copyOf(bases);
    this.token = token;
  }

  /** All addresses, the one that answered last first. */
  List<Server> servers() throws ApiTrouble {
    List<Server> all = new ArrayList<>();
    UnknownHostException unknown = null;
    for (URI base : bases) {
      try {
        all.addAll(expand(base));
      } catch (UnknownHostException nobody) {
        unknown = nobody;
      }
    }
    if (all.isEmpty()) {
      throw new ApiTrouble.Unreachable(bases.getFirst().toString(), "no such host", unknown);
    }
    Server good = lastGood;
    if (good != null && all.remove(good)) all.addFirst(good);
    return all;
  }

  private static List<Server> expand(URI base) throws UnknownHostException {
    InetAddress[] found = InetAddress.getAllByName(base.getHost());
    // A certificate is for the name; and this very machine is one replica, whatever its names.
    boolean one =
        found.length == 1
            || base.getScheme().equals("https")
            || Stream.of(found).anyMatch(InetAddress::isLoopbackAddress);
    if (one) return List.of(new Server(base));
    return Stream.of(found)
        .map(each -> {
          String literal = each.getHostAddress();
          String host = literal.contains(":") ? "[" + literal + "]" : literal;
          String port = base.getPort() < 0 ? "" : ":" + base.getPort();
          String path = base.getRawPath() == null ? "" : base.getRawPath();
          return new Server(URI.create(base.getScheme() + "://" + host + port + path));
        })
        .toList();
  }

  /** Asks whoever is there. */
  JsonNode get(String path) throws ApiTrouble {
    return anywhere(server -> get(server, path));
  }

  JsonNode get(Server server, String path) throws ApiTrouble {
    return json(server, send(server, request(server, path).GET().build()));
  }

  /** Asks whoever is there; only a server that cannot be reached at all is passed over. */
  JsonNode post(String path, @Nullable JsonNode body) throws ApiTrouble {
    return anywhere(server -> post(server, path, body));
  }

  JsonNode post(Server server, String path, @Nullable JsonNode body) throws ApiTrouble {
    HttpRequest.Builder request = request(server, path);
    if (body == null) {
      request.POST(HttpRequest.BodyPublishers.noBody());
    } else {
      request
          .header("Content-Type", "application/json")
          .POST(HttpRequest.BodyPublishers.ofString(body.toString()));
    }
    return json(server, send(server, request.build()));
  }

  /** The stream of events; whoever opens it closes it. */
  InputStream events(String path, @Nullable String lastEventId) throws ApiTrouble {
    return anywhere(server -> {
      // The server sends something every 15 s; the reader, not the clock, ends a stream.
      HttpRequest.Builder request =
          request(server, path).header("Accept", "text/event-stream").GET();
      if (lastEventId != null) request.header("Last-Event-ID", lastEventId);
      HttpResponse<InputStream> response = send(server, request.build());
      if (response.statusCode() != 200) json(server, response);
      return response.body();
    });
  }

  /** A call to one server. */
  interface Call<T> {
    T on(Server server) throws ApiTrouble;
  }

  private <T> T anywhere(Call<T> call) throws ApiTrouble {
    ApiTrouble.Unreachable last = null;
    for (Server server : servers()) {
      try {
        T answer = call.on(server);
        lastGood = server;
        return answer;
      } catch (ApiTrouble.Unreachable nobody) {
        last = nobody;
      }
    }
    if (last == null) throw new IllegalStateException("there is no server to ask");
    throw last;
  }

  private HttpRequest.Builder request(Server server, String path) {
    return HttpRequest.newBuilder(URI.create(server.base() + path))
        .timeout(ANSWER_WITHIN)
        .header("User-Agent", "cupbear/" + BuildInfo.current().version())
        .header("Authorization", "Bearer " + token.reveal());
  }

  private HttpResponse<InputStream> send(Server server, HttpRequest request) throws ApiTrouble {
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofInputStream());
    } catch (IOException broken) {
      throw new ApiTrouble.Unreachable(server.toString(), why(broken), broken);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new ApiTrouble.Unreachable(server.toString(), "interrupted", stopped);
    }
  }

  private static String why(IOException broken) {
    String message = broken.getMessage();
    return message == null || message.isBlank() ? "connection refused" : message;
  }

  private static JsonNode json(Server server, HttpResponse<InputStream> response)
      throws ApiTrouble {
    String text;
    try (InputStream body = response.body()) {
      text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new ApiTrouble.Unreachable(server.toString(), why(broken), broken);
    }
    JsonNode json = null;
    try {
      json = text.isEmpty() ? JSON.createObjectNode() : JSON.readTree(text);
    } catch (JsonProcessingException garbled) {
      if (response.statusCode() < 400) {
        throw new ApiTrouble.Garbled(server.toString(), Human.clean(Human.cut(text, 60)));
      }
    }
    if (response.statusCode() >= 300 || json == null) {
      throw ApiTrouble.Refused.of(response.statusCode(), json);
    }
    return json;
  }

  @Override
  public void close() {
    http.shutdownNow();
  }

  static ObjectMapper mapper() {
    return JSON;
  }
}
