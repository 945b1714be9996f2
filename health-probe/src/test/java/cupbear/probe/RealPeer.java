// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import static org.awaitility.Awaitility.await;

import cupbear.probe.bench.SelfSigned;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A real server's process on loopback, started for a test and ended with it.
 *
 * @param output what it writes
 */
record RealPeer(Process process, int port, Path output) implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Where a program is, if it is installed. */
  static Optional<String> find(String program) {
    return Stream.of("/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin")
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst();
  }

  /** A port that is free now; the server that gets it binds it a moment later. */
  static int freePort() {
    try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return probe.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static RealPeer start(
      int port, Path output, Map<String, String> environment, List<String> command)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    return new RealPeer(builder.start(), port, output);
  }

  /** From the kernel's table: a connect would be a probe of its own, and logged as such. */
  RealPeer awaitListening() {
    String suffix = String.format(Locale.ROOT, ":%04X", port);
    try {
      await("port " + port + " of " + process.info().command().orElse("the server"))
          .atMost(PATIENCE)
          .until(() -> !process.isAlive() || listening(suffix));
    } finally {
      if (!process.isAlive()) close();
    }
    if (!process.isAlive()) throw new AssertionError("it ended at once: " + text(output));
    return this;
  }

  private static boolean listening(String suffix) throws IOException {
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      try (Stream<String> lines = Files.lines(Path.of(table))) {
        boolean found =
            lines
                .map(line -> line.trim().split("\\s+"))
                .anyMatch(columns -> columns[1].endsWith(suffix) && columns[3].equals("0A"));
        if (found) return true;
      }
    }
    return false;
  }

  InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** Processes it has started and that are still there. */
  long children() {
    return process.descendants().filter(ProcessHandle::isAlive).count();
  }

  void signal(String name) throws IOException, InterruptedException {
    int code =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    if (code != 0) throw new IOException("kill -" + name + " failed");
  }

  static String text(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A key and its certificate as the PEM files that C programs read. */
  static void writeKey(Path key, Path certificate) throws IOException, GeneralSecurityException {
    KeyStore store = SelfSigned.make();
    byte[] secret = store.getKey(SelfSigned.ALIAS, SelfSigned.password()).getEncoded();
    Files.writeString(key, pem("PRIVATE KEY", secret));
    byte[] open = store.getCertificate(SelfSigned.ALIAS).getEncoded();
    Files.writeString(certificate, pem("CERTIFICATE", open));
  }

  private static String pem(String what, byte[] der) {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n";
  }

  @Override
  public void close() {
    List<ProcessHandle> family =
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
    family.forEach(ProcessHandle::destroy);
    try {
      await()
          .atMost(Duration.ofSeconds(10))
          .until(() -> family.stream().noneMatch(ProcessHandle::isAlive));
    } finally {
      family.forEach(ProcessHandle::destroyForcibly);
    }
  }
}
