// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Takes OTLP over HTTP and reads the spans out of its protobuf, as far as tests care. */
final class OtlpReceiver implements AutoCloseable {
  /** One span; a link is the trace and span that it points at. */
  record Span(
      String traceId,
      String id,
      String parent,
      String name,
      Map<String, String> attributes,
      List<String> links) {}

  /** One field of a message: its number, and its bytes or its number. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Field(int number, byte[] bytes, long value) {
    String hex() {
      return HexFormat.of().formatHex(bytes);
    }

    String text() {
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  final List<Span> spans = new CopyOnWriteArrayList<>();

  /** Every byte that came in, as text: to look for what must not be there. */
  final List<String> raw = new CopyOnWriteArrayList<>();

  private final HttpServer server;

  OtlpReceiver() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext(
        "/v1/traces",
        call -> {
          byte[] body = call.getRequestBody().readAllBytes();
          raw.add(new String(body, StandardCharsets.ISO_8859_1));
          for (Field resource : fields(body, 1)) {
            for (Field scope : fields(resource.bytes(), 2)) {
              fields(scope.bytes(), 2).forEach(span -> spans.add(span(span.bytes())));
            }
          }
          call.sendResponseHeaders(200, -1);
          call.close();
        });
    server.start();
  }

  /** The variables that send spans here. */
  Map<String, String> environment() {
    return Map.of(
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "http://127.0.0.1:" + server.getAddress().getPort(),
        "OTEL_EXPORTER_OTLP_PROTOCOL",
        "http/protobuf",
        "OTEL_BSP_SCHEDULE_DELAY",
        "100");
  }

  List<Span> named(String name) {
    return spans.stream().filter(span -> span.name().equals(name)).toList();
  }

  private static Span span(byte[] message) {
    Map<String, String> attributes = new TreeMap<>();
    for (Field attribute : fields(message, 9)) {
      attributes.put(first(attribute.bytes(), 1).text(), value(first(attribute.bytes(), 2)));
    }
    List<String> links = new ArrayList<>();
    for (Field link : fields(message, 13)) {
      links.add(first(link.bytes(), 1).hex() + "/" + first(link.bytes(), 2).hex());
    }
    return new Span(
        first(message, 1).hex(),
        first(message, 2).hex(),
        first(message, 4).hex(),
        first(message, 5).text(),
        attributes,
        links);
  }

  private static String value(Field any) {
    Field one = all(any.bytes()).getFirst();
    return one.number() == 1 ? one.text() : Long.toString(one.value());
  }

  private static Field first(byte[] message, int number) {
    List<Field> found = fields(message, number);
    return found.isEmpty() ? new Field(number, new byte[0], 0) : found.getFirst();
  }

  private static List<Field> fields(byte[] message, int number) {
    return all(message).stream().filter(field -> field.number() == number).toList();
  }

  private static List<Field> all(byte[] message) {
    List<Field> fields = new ArrayList<>();
    ByteBuffer in = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    while (in.hasRemaining()) {
      int tag = (int) varint(in);
      int number = tag >>> 3;
      switch (tag & 7) {
        case 0 -> fields.add(new Field(number, new byte[0], varint(in)));
        case 1 -> fields.add(new Field(number, new byte[0], in.getLong()));
        case 2 -> {
          byte[] bytes = new byte[(int) varint(in)];
          in.get(bytes);
          fields.add(new Field(number, bytes, 0));
        }
        case 5 -> fields.add(new Field(number, new byte[0], in.getInt()));
        default -> throw new AssertionError("no such wire type: " + (tag & 7));
      }
    }
    return fields;
  }

  private static long varint(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = in.get();
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) return value;
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
