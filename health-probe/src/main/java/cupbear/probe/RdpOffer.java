// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

/** The security protocols that the X.224 request offers. */
public enum RdpOffer {
  STANDARD(0),
  TLS(1),
  /** Settles every known server with one connection. The default. */
  TLS_NLA(3),
  TLS_NLA_EX(11);

  private final int bits;

  RdpOffer(int bits) {
    this.bits = bits;
  }

  int bits() {
    return bits;
  }
}
