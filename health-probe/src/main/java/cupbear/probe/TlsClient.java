// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import cupbear.probe.ProbeResult.TlsError;
import cupbear.probe.ProbeResult.TlsError.Kind;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.Socket;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The TLS half of an RDP probe. Viewers sign their own certificates for names nobody uses, so no
 * name and no issuer is checked; a pin is the way to insist. Nothing is sent that could be stolen
 * by an impostor. Immutable, any thread.
 */
final class TlsClient {

  private static final Pattern ALERT = Pattern.compile("Received fatal alert: (\\w+)");

  /** Numbers of the alerts that end handshakes; the JDK tells only names. */
  private static final Map<String, Integer> ALERTS =
      Map.ofEntries(
          Map.entry("unexpected_message", 10),
          Map.entry("bad_record_mac", 20),
          Map.entry("record_overflow", 22),
          Map.entry("handshake_failure", 40),
          Map.entry("bad_certificate", 42),
          Map.entry("unsupported_certificate", 43),
          Map.entry("certificate_expired", 45),
          Map.entry("certificate_unknown", 46),
          Map.entry("illegal_parameter", 47),
          Map.entry("unknown_ca", 48),
          Map.entry("access_denied", 49),
          Map.entry("decode_error", 50),
          Map.entry("decrypt_error", 51),
          Map.entry("protocol_version", 70),
          Map.entry("insufficient_security", 71),
          Map.entry("internal_error", 80),
          Map.entry("inappropriate_fallback", 86),
          Map.entry("missing_extension", 109),
          Map.entry("unsupported_extension", 110),
          Map.entry("unrecognized_name", 112),
          Map.entry("certificate_required", 116),
          Map.entry("no_application_protocol", 120));

  private static final int PROTOCOL_VERSION = 70;

  private final SslContext context;

  TlsClient(Set<CertificatePin> pins) {
    try {
      context =
          SslContextBuilder.forClient()
              .sslProvider(SslProvider.JDK)
              .trustManager(new Pinned(pins))
              .endpointIdentificationAlgorithm(null)
              .build();
    } catch (SSLException e) {
      throw new IllegalStateException("this JDK has no TLS; use another", e);
    }
  }

  /** Without peer name: no SNI goes out, and no session is kept to resume, as CredSSP demands. */
  SslHandler handler(ByteBufAllocator allocator) {
    SslHandler handler = context.newHandler(allocator);
    // The probe has deadlines of its own, which know when we are the late ones.
    handler.setHandshakeTimeoutMillis(0);
    return handler;
  }

  /** What a failed handshake, or a broken record after it, says of the server. */
  static TlsError classify(Throwable cause) {
    for (Throwable each = cause; each != null; each = each.getCause()) {
      if (each instanceof WrongCertificate) return new TlsError(Kind.PIN, 0);
      if (each instanceof NotSslRecordException) return new TlsError(Kind.NOT_TLS, 0);
      if (each instanceof ClosedChannelException) return new TlsError(Kind.CLOSED, 0);
      if (each instanceof IOException && !(each instanceof SSLException)) {
        return new TlsError(Kind.CLOSED, 0);
      }
    }
    return byMessage(cause.getMessage());
  }

  private static TlsError byMessage(@Nullable String message) {
    String words = message == null ? "" : message;
    Matcher alert = ALERT.matcher(words);
    if (alert.find()) {
      int number = ALERTS.getOrDefault(alert.group(1), 0);
      Kind kind = number == PROTOCOL_VERSION ? Kind.VERSION : Kind.ALERT;
      return new TlsError(kind, number);
    }
    if (words.contains("onnection closed")) return new TlsError(Kind.CLOSED, 0);
    boolean version = words.contains("protocol version") || words.contains("protocol_version");
    return new TlsError(version ? Kind.VERSION : Kind.HANDSHAKE, 0);
  }

  /** The certificate is not the pinned one. */
  private static final class WrongCertificate extends CertificateException {
    private static final long serialVersionUID = 1L;

    WrongCertificate() {
      super("not the pinned certificate");
    }
  }

  private static final class Pinned extends X509ExtendedTrustManager {
    private final Set<CertificatePin> pins;

    Pinned(Set<CertificatePin> pins) {
      this.pins = pins;
    }

    private void check(X509Certificate[] chain) throws CertificateException {
      if (pins.isEmpty()) return;
      if (chain.length == 0 || !pins.contains(CertificatePin.of(chain[0].getEncoded()))) {
        throw new WrongCertificate();
      }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      throw new CertificateException("this is a client");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      throw new CertificateException("this is a client");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw new CertificateException("this is a client");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
