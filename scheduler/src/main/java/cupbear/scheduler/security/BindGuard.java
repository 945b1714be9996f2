// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.security;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;

/**
 * Lets a listener open only where the private network is: on a 6PN address, or on loopback in demo.
 * Asked twice: before the bind with what the name resolves to, and after it with what was bound.
 */
public final class BindGuard {
  /** Resolves a host name; {@code InetAddress::getAllByName} outside tests. */
  public interface Resolver {
    InetAddress[] resolve(String host) throws UnknownHostException;
  }

  /** Whether we may listen there. */
  public sealed interface Verdict {
    /** Bind to this address itself, not to the name: it could resolve differently next time. */
    record Fine(InetAddress address) implements Verdict {}

    /** Do not start; the sentence says what to write instead. */
    record Refused(String why) implements Verdict {}
  }

  private final Resolver resolver;
  private final boolean loopbackAllowed;

  public BindGuard(Resolver resolver, boolean loopbackAllowed) {
    this.resolver = resolver;
    this.loopbackAllowed = loopbackAllowed;
  }

  /** Every address behind the name must be allowed, or none is. */
  public Verdict check(ListenAddress listen) {
    List<InetAddress> addresses;
    try {
      addresses = List.of(resolver.resolve(listen.host()));
    } catch (UnknownHostException e) {
      return new Verdict.Refused(
          "%s cannot be resolved; fly-local-6pn exists inside Fly Machines only: elsewhere %s"
              .formatted(listen, demo(listen.port())));
    }
    for (InetAddress each : addresses) {
      Optional<String> wrong = wrong(each, listen.port());
      if (wrong.isPresent()) return new Verdict.Refused("%s: %s".formatted(listen, wrong.get()));
    }
    return addresses.isEmpty()
        ? new Verdict.Refused("%s resolves to nothing; %s".formatted(listen, onFly(listen.port())))
        : new Verdict.Fine(addresses.getFirst());
  }

  /** After the bind: what the socket says it listens on. */
  public Verdict recheck(InetAddress bound, int port) {
    return wrong(bound, port)
        .<Verdict>map(why -> new Verdict.Refused("bound to %s: %s".formatted(text(bound), why)))
        .orElseGet(() -> new Verdict.Fine(bound));
  }

  private Optional<String> wrong(InetAddress address, int port) {
    if (address.isAnyLocalAddress()) {
      return Optional.of(
          "%s listens on every network this machine has; %s".formatted(text(address), onFly(port)));
    }
    if (address.isLoopbackAddress()) {
      return loopbackAllowed
          ? Optional.empty()
          : Optional.of("loopback is for environment: demo only; " + onFly(port));
    }
    return isPrivateNetwork(address)
        ? Optional.empty()
        : Optional.of(
            "%s is not inside Fly's private network (fdaa::/16); %s"
                .formatted(text(address), onFly(port)));
  }

  /** 6PN is {@code fdaa::/16}. */
  public static boolean isPrivateNetwork(InetAddress address) {
    byte[] bytes = address.getAddress();
    return address instanceof Inet6Address && bytes[0] == (byte) 0xfd && bytes[1] == (byte) 0xaa;
  }

  private String onFly(int port) {
    String there = "write fly-local-6pn:%d on Fly".formatted(port);
    return loopbackAllowed ? "%s, or %s".formatted(there, demo(port)) : there;
  }

  private static String demo(int port) {
    return "write 127.0.0.1:%d with environment: demo".formatted(port);
  }

  private static String text(InetAddress address) {
    return address.getHostAddress();
  }
}
