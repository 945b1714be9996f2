// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

/** The security protocol that the server chose. */
public enum Selected {
  /** A confirm without negotiation data: standard security, said by silence. */
  UNSAID(0),
  STANDARD(0),
  TLS(1),
  HYBRID(2),
  HYBRID_EX(8);

  private final int bits;

  Selected(int bits) {
    this.bits = bits;
  }

  int bits() {
    return bits;
  }

  /** Whether the server took standard RDP security, which nobody should want. */
  public boolean downgraded() {
    return bits == 0;
  }

  boolean nla() {
    return this == HYBRID || this == HYBRID_EX;
  }
}
