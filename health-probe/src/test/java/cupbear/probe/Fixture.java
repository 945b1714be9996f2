// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * One recorded PDU of a real server or client.
 *
 * @param name of the file: label, place on the wire, sender, what it is
 * @param hex lower case, without line ends
 */
record Fixture(String name, String hex) {

  /** All PDUs of a recording, in order. */
  static List<Fixture> recording(String label) {
    return all().stream().filter(fixture -> fixture.label().equals(label)).toList();
  }

  static List<Fixture> all() {
    URL one = Objects.requireNonNull(Fixture.class.getResource("xrdp-req3.01-c2s-x224-cr.hex"));
    try (Stream<Path> files = Files.list(Path.of(one.toURI()).resolveSibling("."))) {
      return files
          .filter(file -> file.toString().endsWith(".hex"))
          .sorted()
          .map(Fixture::read)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  static byte[] octets(String label, int step) {
    return recording(label).stream()
        .filter(fixture -> fixture.step() == step)
        .findFirst()
        .orElseThrow()
        .octets();
  }

  String label() {
    return name.substring(0, name.indexOf('.'));
  }

  int step() {
    return Integer.parseInt(name.substring(name.indexOf('.') + 1, name.indexOf('.') + 3));
  }

  boolean fromClient() {
    return name.contains("-c2s-");
  }

  byte[] octets() {
    return HexFormat.of().parseHex(hex);
  }

  private static Fixture read(Path file) {
    try {
      String name = file.getFileName().toString();
      return new Fixture(name, Files.readString(file).replaceAll("\\s", ""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
