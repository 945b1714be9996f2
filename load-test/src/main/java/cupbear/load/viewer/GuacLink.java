// SPDX-License-Identifier: Apache-2.0
package cupbear.load.viewer;

import cupbear.gateway.Grant;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A gateway's connection to guacd: the handshake with the session's login, and then whatever guacd
 * says, until either side ends it. Instructions are {@code 6.select,3.rdp;}: the length of each
 * element in characters, a dot, the element. On the socket's event loop.
 */
final class GuacLink {
  /** What guacd sends before a picture fits in here many times. */
  private static final int HELD_MOST = 1 << 20;

  /** A guacd that hangs says nothing, for ever. */
  private static final Duration READY_WITHIN = Duration.ofSeconds(5);

  private final NetSocket socket;
  private final Grant grant;
  private final Promise<GuacLink> open = Promise.promise();
  private final StringBuilder held = new StringBuilder();
  private Consumer<String> onEnd = why -> {};
  private boolean drawn;
  private boolean ended;

  private GuacLink(NetSocket socket, Grant grant) {
    this.socket = socket;
    this.grant = grant;
  }

  /** Ends when guacd has the desktop ready; fails with guacd's own words when it refuses. */
  static Future<GuacLink> open(NetClient net, Grant grant) {
    return net.connect(grant.machine().guacdPort(), grant.machine().address())
        .compose(socket -> {
          GuacLink link = new GuacLink(socket, grant);
          socket.handler(link::received);
          // A connection that breaks is closed next, and that is what is told.
          socket.exceptionHandler(any -> {});
          socket.closeHandler(any -> link.end("the connection to guacd broke"));
          link.send("select", "rdp");
          return link.open
              .future()
              .timeout(READY_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
              .onFailure(any -> link.close());
        });
  }

  /** Told once, on the event loop, when guacd or the network ended it. */
  void onEnd(Consumer<String> listener) {
    onEnd = listener;
  }

  Future<Void> close() {
    ended = true;
    return socket.close();
  }

  private void received(Buffer octets) {
    // Everything guacd says during a blank session is ASCII, so bytes are characters.
    held.append(octets.toString(StandardCharsets.ISO_8859_1));
    if (held.length() > HELD_MOST) {
      end("guacd sent an instruction without an end");
      socket.close();
      return;
    }
    List<String> instruction = next();
    while (!instruction.isEmpty()) {
      heard(instruction);
      instruction = next();
    }
  }

  /** The next whole instruction; empty when there is none yet. */
  private List<String> next() {
    List<String> elements = new ArrayList<>();
    int at = 0;
    while (true) {
      int dot = held.indexOf(".", at);
      if (dot < 0) return List.of();
      int end = dot + 1 + Integer.parseInt(held.substring(at, dot));
      if (end >= held.length()) return List.of();
      elements.add(held.substring(dot + 1, end));
      boolean last = held.charAt(end) == ';';
      at = end + 1;
      if (last) {
        held.delete(0, at);
        return elements;
      }
    }
  }

  private void heard(List<String> instruction) {
    switch (instruction.getFirst()) {
      case "args" -> connect(instruction.subList(1, instruction.size()));
      case "ready" -> {}
      case "size" -> drawn = true;
      case "sync" -> {
        send("sync", instruction.get(1));
        // The first one comes before the login is looked at, as "ready" does.
        if (drawn) open.tryComplete(this);
      }
      case "error" -> {
        end("guacd says: " + instruction.get(1));
        socket.close();
      }
      default -> {}
    }
  }

  private void connect(List<String> names) {
    send("size", "1024", "768", "96");
    send("audio");
    send("video");
    send("image");
    String[] values = new String[names.size()];
    for (int i = 0; i < values.length; i++) values[i] = value(names.get(i));
    send("connect", values);
  }

  private String value(String name) {
    return switch (name) {
      case "hostname" -> "127.0.0.1";
      case "port" -> "3389";
      case "ignore-cert" -> "true";
      case "username" -> grant.credentials().map(Grant.Credentials::username).orElse("");
      case "password" -> grant.credentials().map(Grant.Credentials::password).orElse("");
      default -> name.startsWith("VERSION_") ? name : "";
    };
  }

  private void send(String opcode, String... args) {
    StringBuilder text = new StringBuilder();
    text.append(opcode.length()).append('.').append(opcode);
    for (String each : args) text.append(',').append(each.length()).append('.').append(each);
    socket.write(text.append(';').toString());
  }

  private void end(String why) {
    if (ended) return;
    ended = true;
    if (!open.tryFail(why)) onEnd.accept(why);
  }
}
