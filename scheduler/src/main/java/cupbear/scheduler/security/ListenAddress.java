// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.security;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where to listen, as written: {@code fly-local-6pn:8080}, {@code 127.0.0.1:8080} or {@code
 * [fdaa::1]:8080}. Port 0 takes any free one.
 *
 * @param host a name or a literal address, without brackets
 */
public record ListenAddress(String host, int port) {
  private static final int PORT_MOST = 65_535;
  private static final Pattern NAMED = Pattern.compile("([A-Za-z0-9._-]{1,253}):([0-9]{1,5})");
  private static final Pattern LITERAL =
      Pattern.compile("\\[([0-9A-Fa-f:.]{2,45})\\]:([0-9]{1,5})");

  public ListenAddress {
    if (port < 0 || port > PORT_MOST) {
      throw new IllegalArgumentException("port is " + port + "; give 0 to 65535");
    }
  }

  /**
   * @throws IllegalArgumentException saying how an address is written
   */
  public static ListenAddress of(String text) {
    for (Pattern each : new Pattern[] {NAMED, LITERAL}) {
      Matcher parts = each.matcher(text);
      if (parts.matches()) {
        return new ListenAddress(parts.group(1), Integer.parseInt(parts.group(2)));
      }
    }
    throw new IllegalArgumentException("not an address; write host:port or [v6]:port");
  }

  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
