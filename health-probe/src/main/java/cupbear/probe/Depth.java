// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import java.util.Locale;

/** How far an RDP probe goes. Each depth proves more; the deepest makes xrdp log least. */
public enum Depth {
  /** Up to the X.224 confirm: the accept loop answers and has a security layer for us. */
  NEGOTIATE,
  /** Up to the end of the TLS handshake: certificate and key are readable. */
  TLS,
  /** Up to the channel joins, for servers that refuse a login without credentials. */
  JOINS,
  /** Up to the licensing answer to an empty login request. The default. */
  LOGIN;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
