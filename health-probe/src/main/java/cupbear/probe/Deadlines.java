// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import java.time.Duration;

/**
 * How long each step may take. Every one is absolute: an octet now and then buys no time.
 *
 * @param connect one lost SYN costs a second, and xrdp's backlog of two loses some
 * @param answer guacd's reply and the X.224 confirm, which may wait for a fork
 * @param exchange every later PDU; sub-millisecond on a healthy server
 * @param total over all steps, whatever each of them would allow
 * @param drain for the parting, after the verdict
 */
public record Deadlines(
    Duration connect,
    Duration answer,
    Duration tls,
    Duration exchange,
    Duration total,
    Duration drain) {

  private static final Deadlines STANDARD =
      new Deadlines(
          Duration.ofMillis(1500),
          Duration.ofMillis(2000),
          Duration.ofMillis(2000),
          Duration.ofMillis(1000),
          Duration.ofMillis(5000),
          Duration.ofMillis(500));

  public Deadlines {
    for (Duration each : new Duration[] {connect, answer, tls, exchange, total, drain}) {
      if (!each.isPositive()) {
        throw new IllegalArgumentException("a deadline of " + each + "; use a positive one");
      }
    }
  }

  public static Deadlines standard() {
    return STANDARD;
  }

  /** What this step may take on its own. */
  Duration of(ProbeStep step) {
    return switch (step) {
      case CONNECT -> connect;
      case SELECT, ARGS, X224 -> answer;
      case TLS -> tls;
      case CREDSSP, MCS, ATTACH, JOIN_USER, JOIN_IO, LOGIN, DEMAND -> exchange;
    };
  }
}
