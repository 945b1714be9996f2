// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import static cupbear.scheduler.adapter.redis.Stage.get;
import static cupbear.scheduler.adapter.redis.Stage.trouble;
import static org.assertj.core.api.Assertions.assertThat;

import cupbear.redis.LocalRedis;
import cupbear.redis.testing.RedisExtension;
import cupbear.scheduler.model.ClaimResult;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.StoreRules;
import cupbear.scheduler.model.StoreState;
import cupbear.scheduler.port.StoreTrouble;
import io.vertx.core.Future;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Redis behind TLS, with a certificate of an authority that this JVM is told to trust. */
@ExtendWith(RedisExtension.class)
class RedisTlsIT {
  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final String TRUST_STORE = "javax.net.ssl.trustStore";

  /** A first handshake takes its time. */
  private static final RedisSettings PATIENT =
      new RedisSettings(1, 16, Duration.ofSeconds(5), Duration.ofSeconds(8), false);

  private static KeyStore ours;
  private static KeyStore ofAnotherHost;
  private static KeyStore ofAStranger;

  private final LocalRedis redis;

  RedisTlsIT(LocalRedis redis) {
    this.redis = redis;
  }

  /** As an operator does it on the command line, for an authority of their own. */
  @BeforeAll
  static void trust(@TempDir Path folder) throws Exception {
    ours = selfSigned(folder.resolve("ours.p12"), "san=ip:127.0.0.1");
    ofAnotherHost = selfSigned(folder.resolve("other.p12"), "san=dns:redis.example");
    ofAStranger = selfSigned(folder.resolve("stranger.p12"), "san=ip:127.0.0.1");
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, PASSWORD);
    trusted.setCertificateEntry("ours", ours.getCertificate("redis"));
    trusted.setCertificateEntry("other", ofAnotherHost.getCertificate("redis"));
    Path file = folder.resolve("trusted.p12");
    try (OutputStream out = Files.newOutputStream(file)) {
      trusted.store(out, PASSWORD);
    }
    System.setProperty(TRUST_STORE, file.toString());
    System.setProperty(TRUST_STORE + "Password", new String(PASSWORD));
  }

  @AfterAll
  static void trustNobodyElse() {
    System.clearProperty(TRUST_STORE);
    System.clearProperty(TRUST_STORE + "Password");
  }

  private TlsFront front(KeyStore own) throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(own, PASSWORD);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(keys.getKeyManagers(), null, null);
    return new TlsFront(tls, redis.address().hostAndPort());
  }

  private URI url(TlsFront front) {
    return URI.create(
        "rediss://:%s@127.0.0.1:%d".formatted(redis.address().password(), front.port()));
  }

  @Test
  @DisplayName("rediss:// with a trusted certificate of this host: all works")
  void trusted() throws Exception {
    try (TlsFront front = front(ours);
        Stage stage = Stage.open(url(front), PATIENT)) {
      stage.warm("m1");
      assertThat(get(stage.claim("k-1"))).isInstanceOf(ClaimResult.Granted.class);
      assertThat(front.bytes()).isPositive();
    }
  }

  @Test
  @DisplayName("a certificate that nobody vouches for: unreachable, and the password is not sent")
  void notTrusted() throws Exception {
    refused(ofAStranger, "PKIX path");
  }

  @Test
  @DisplayName("a trusted certificate of another host: unreachable, and the password is not sent")
  void otherHost() throws Exception {
    refused(ofAnotherHost, "No subject alternative names matching IP address");
  }

  private void refused(KeyStore own, String why) throws Exception {
    try (TlsFront front = front(own);
        RedisStore store =
            new RedisStore(RedisPlace.of(url(front).toString()), PATIENT, StoreRules.DEFAULT)) {
      Future<StoreState> state = store.recovery().state(new PoolName("p1"));
      assertThat(trouble(state)).isEqualTo(StoreTrouble.Kind.UNREACHABLE);
      assertThat(state.cause()).hasMessageContaining(why);
      assertThat(front.bytes()).isZero();
    }
  }

  private static KeyStore selfSigned(Path file, String san) throws Exception {
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "redis",
                "-keyalg",
                "EC",
                "-dname",
                "CN=redis",
                "-ext",
                san,
                "-validity",
                "2",
                "-keystore",
                file.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(keytool.waitFor()).as("keytool ends well").isZero();
    return KeyStore.getInstance(file.toFile(), PASSWORD);
  }
}
