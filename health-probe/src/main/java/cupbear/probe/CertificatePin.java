// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The one certificate that a server may show.
 *
 * @param sha256 of its DER form, 64 hex digits; colons as {@code openssl x509 -fingerprint} prints
 *     them are dropped
 */
public record CertificatePin(String sha256) {

  private static final int DIGITS = 64;

  public CertificatePin {
    sha256 = sha256.replace(":", "").toLowerCase(Locale.ROOT);
    if (sha256.length() != DIGITS || !sha256.chars().allMatch(HexFormat::isHexDigit)) {
      throw new IllegalArgumentException(
          "a pin is the SHA-256 of a certificate, 64 hex digits; see openssl x509 -fingerprint"
              + " -sha256");
    }
  }

  static CertificatePin of(byte[] der) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(der);
      return new CertificatePin(HexFormat.of().formatHex(digest));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
