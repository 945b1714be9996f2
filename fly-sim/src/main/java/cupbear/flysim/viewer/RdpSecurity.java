// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

/** How the RDP server answers a security negotiation; each row behaves as a recorded server did. */
public enum RdpSecurity {
  /** TLS when offered, else standard security without encryption (xrdp's {@code negotiate}). */
  NEGOTIATE,
  /** TLS or a refusal (xrdp's {@code security_layer=tls}). */
  TLS_ONLY,
  /** NLA (CredSSP) or a refusal, as Windows and FreeRDP's shadow server can be set. */
  NLA_ONLY,
  /** Standard security whatever was offered (xrdp's {@code security_layer=rdp}). */
  STANDARD_ONLY,
  /** TLS is wanted and its key cannot be read: every request is refused. */
  BROKEN_CERTIFICATE
}
