// SPDX-License-Identifier: Apache-2.0
package cupbear.probe.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;

/**
 * An RSA key with a certificate signed by itself, as viewers have. The JDK cannot make a
 * certificate by its API, but its keytool can.
 */
public final class SelfSigned {

  public static final String ALIAS = "viewer";
  private static final String PASSWORD = "changeit";
  private static final long PATIENCE_SECONDS = 60;

  private SelfSigned() {}

  /** Makes one; takes about a second. */
  public static KeyStore make() throws IOException {
    Path folder = Files.createTempDirectory("cupbear-certificate");
    Path file = folder.resolve("key.p12");
    try {
      keytool(file);
      return read(file);
    } finally {
      Files.deleteIfExists(file);
      Files.delete(folder);
    }
  }

  /** What opens the store and its key. Protects nothing: both live for one run. */
  public static char[] password() {
    return PASSWORD.toCharArray();
  }

  private static void keytool(Path file) throws IOException {
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-alias",
                ALIAS,
                "-dname",
                "CN=viewer.internal",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      if (!keytool.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
        throw new IOException("keytool made no certificate; is this a whole JDK?");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while keytool ran", e);
    } finally {
      keytool.destroyForcibly();
    }
  }

  private static KeyStore read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, password());
      return store;
    } catch (GeneralSecurityException e) {
      throw new IOException("keytool made a certificate that this JDK cannot read", e);
    }
  }
}
