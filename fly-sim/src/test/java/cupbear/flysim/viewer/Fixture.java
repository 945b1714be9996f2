// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

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
 * @param step its place on the wire
 * @param fromClient who sent it
 * @param hex lower case, without line ends
 */
record Fixture(int step, boolean fromClient, String what, String hex) {

  /** All PDUs of a recording, in order. */
  static List<Fixture> recording(String label) {
    URL folder =
        Objects.requireNonNull(Fixture.class.getResource("xrdp10-req3.01-c2s-x224-cr.hex"));
    try (Stream<Path> files = Files.list(Path.of(folder.toURI()).resolveSibling("."))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(label + "."))
          .sorted()
          .map(Fixture::read)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  static String hex(String label, int step) {
    return recording(label).stream().filter(f -> f.step == step).findFirst().orElseThrow().hex;
  }

  byte[] octets() {
    return HexFormat.of().parseHex(hex);
  }

  private static Fixture read(Path file) {
    String name = file.getFileName().toString();
    String rest = name.substring(name.indexOf('.') + 1);
    try {
      return new Fixture(
          Integer.parseInt(rest.substring(0, 2)),
          rest.startsWith("c2s", 3),
          name,
          Files.readString(file).replaceAll("\\s", ""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
