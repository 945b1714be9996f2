// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files of the repository that tests hold to their word. */
final class Repo {
  private Repo() {}

  /** Tests run in the module's folder. */
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  static final Path DOCS = ROOT.resolve("docs");

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
