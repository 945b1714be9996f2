// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The TLS side of all simulated RDP servers: one RSA key and one self-signed certificate, made once
 * per process, since making a key takes longer than a Machine's whole boot. The JDK reads
 * certificates and cannot write them, hence the few lines of DER. Immutable, any thread.
 */
final class ServerCertificate {

  private static final int RSA_BITS = 2048;
  private static final Duration VALID_FOR = Duration.ofDays(365);
  // Clocks of clients may lag.
  private static final Duration VALID_SINCE = Duration.ofDays(1);
  private static final byte[] SHA256_WITH_RSA =
      HexFormat.of().parseHex("300d06092a864886f70d01010b0500");
  private static final byte[] COMMON_NAME = HexFormat.of().parseHex("0603550403");
  private static final String NAME = "viewer.internal";

  private static final int INTEGER = 0x02;
  private static final int BIT_STRING = 0x03;
  private static final int UTF8_STRING = 0x0C;
  private static final int UTC_TIME = 0x17;
  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;

  private static final DateTimeFormatter UTC =
      DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final class Once {
    private static final SslContext CONTEXT = make();
  }

  private ServerCertificate() {}

  static SslContext context() {
    return Once.CONTEXT;
  }

  private static SslContext make() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(RSA_BITS);
      KeyPair keys = generator.generateKeyPair();
      return SslContextBuilder.forServer(keys.getPrivate(), selfSigned(keys, Instant.now()))
          .sslProvider(SslProvider.JDK)
          // Nobody resumes (CredSSP forbids it), so nothing is worth remembering.
          .sessionCacheSize(1)
          .build();
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("this JDK cannot make an RSA certificate; use another", e);
    }
  }

  static X509Certificate selfSigned(KeyPair keys, Instant now) throws GeneralSecurityException {
    byte[] name =
        der(
            SEQUENCE,
            der(
                SET,
                der(
                    SEQUENCE,
                    COMMON_NAME,
                    der(UTF8_STRING, NAME.getBytes(StandardCharsets.UTF_8)))));
    byte[] validity = der(SEQUENCE, time(now.minus(VALID_SINCE)), time(now.plus(VALID_FOR)));
    byte[] serial = der(INTEGER, BigInteger.valueOf(now.toEpochMilli()).toByteArray());
    byte[] body =
        der(SEQUENCE, serial, SHA256_WITH_RSA, name, validity, name, keys.getPublic().getEncoded());
    Signature signature = Signature.getInstance("SHA256withRSA");
    signature.initSign(keys.getPrivate());
    signature.update(body);
    byte[] whole =
        der(SEQUENCE, body, SHA256_WITH_RSA, der(BIT_STRING, new byte[1], signature.sign()));
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(whole));
  }

  private static byte[] time(Instant at) {
    return der(UTC_TIME, UTC.format(at).getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] der(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    int length = content.size();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    if (length >= 0x100) {
      out.write(0x82);
      out.write(length >> 8);
    } else if (length >= 0x80) {
      out.write(0x81);
    }
    out.write(length);
    out.writeBytes(content.toByteArray());
    return out.toByteArray();
  }
}
