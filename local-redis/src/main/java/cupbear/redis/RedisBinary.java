// SPDX-License-Identifier: Apache-2.0
package cupbear.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;

/** Finds the Redis server that ships inside a jar for this platform, and unpacks it. */
final class RedisBinary {

  private static final String VERSION = "7.0.15";

  private RedisBinary() {}

  static Path unpackInto(Path folder) {
    String resource =
        resourceFor(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
    Path binary = folder.resolve("redis-server");
    try (InputStream packed = RedisBinary.class.getResourceAsStream("/" + resource)) {
      if (packed == null) {
        throw new IllegalStateException(
            "The jar embedded-redis is not on the class path or lacks "
                + resource
                + ". Add org.signal:embedded-redis, or use a Redis of your own.");
      }
      Files.copy(packed, binary);
      Files.setPosixFilePermissions(binary, PosixFilePermissions.fromString("rwx------"));
      return binary;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Could not unpack Redis into "
              + folder
              + ". Is the temporary folder writable and large"
              + " enough (7 MB)?",
          e);
    }
  }

  /** The name of the packed server for an operating system and processor, as Java names them. */
  static String resourceFor(String osName, String osArch) {
    String os = osName.toLowerCase(Locale.ROOT);
    String system = os.contains("linux") ? "linux" : os.contains("mac") ? "darwin" : "";
    String processor =
        switch (osArch.toLowerCase(Locale.ROOT)) {
          case "amd64", "x86_64" -> "amd64";
          case "aarch64", "arm64" -> "arm64";
          default -> "";
        };
    if (system.isEmpty() || processor.isEmpty()) {
      throw new IllegalStateException(
          "No Redis server is packed for "
              + osName
              + " on "
              + osArch
              + ". Use Linux or macOS on x86-64 or ARM64, or point at a Redis of your own.");
    }
    return "redis-server-" + VERSION + "-" + system + "-" + processor;
  }
}
