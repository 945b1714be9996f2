// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import io.netty.util.NetUtil;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Decides which addresses a probe may dial, so that nobody can use the prober to reach something
 * else. Takes literals only and hands back the very address it checked: there is no name to resolve
 * in between. Immutable, any thread.
 */
public final class TargetGuard {

  /** Why an address may not be dialled. */
  public enum Reason {
    NOT_LITERAL("is not an IP address in its plain form; resolve names before"),
    ZONE_ID("carries a zone id; Machines have addresses that are valid everywhere"),
    IPV4_MAPPED("is an IPv4 address dressed as IPv6; write it as IPv4"),
    UNSPECIFIED("is the unspecified address, which means this very host"),
    LINK_LOCAL("is link-local, where metadata services live"),
    MULTICAST("is a multicast or broadcast address"),
    DNS_SERVER("is the network's DNS server, not a Machine"),
    OUTSIDE("is outside the allowed prefixes"),
    PORT("has a port that is not allowed");

    private final String words;

    Reason(String words) {
      this.words = words;
    }
  }

  /** The guard's answer. */
  public sealed interface Answer {
    record Allowed(InetSocketAddress address) implements Answer {}

    /**
     * @param sentence safe to show: of the address, only what could stand in a log line
     */
    record Denied(Reason reason, String sentence) implements Answer {}
  }

  /** Fly's private networks, all of them. A pool's own prefix is narrower: use that where known. */
  public static final String SIX_PN = "fdaa::/16";

  private static final Pattern LITERAL = Pattern.compile("[0-9A-Fa-f:.]{2,45}");
  // No octal look-alikes, no short forms: what one parser reads otherwise than another is refused.
  private static final Pattern IPV4 = Pattern.compile("(0|[1-9]\\d{0,2})(\\.(0|[1-9]\\d{0,2})){3}");
  private static final AddressPrefix MAPPED = AddressPrefix.parse("0:0:0:0:0:ffff:0:0/96");
  private static final AddressPrefix COMPATIBLE = AddressPrefix.parse("0:0:0:0:0:0:0:0/96");
  private static final AddressPrefix SIX_PN_PREFIX = AddressPrefix.parse(SIX_PN);
  private static final int DNS_HOST = 3;

  private final List<AddressPrefix> allowed;
  private final Set<Integer> ports;
  private final boolean anyPort;

  private TargetGuard(List<String> prefixes, Set<Integer> ports, boolean anyPort) {
    this.allowed = prefixes.stream().map(AddressPrefix::parse).toList();
    this.ports = Set.copyOf(ports);
    this.anyPort = anyPort;
  }

  /** What production uses: our own prefixes, guacd's and RDP's port. */
  public static TargetGuard of(List<String> prefixes, Set<Integer> ports) {
    return new TargetGuard(prefixes, ports, false);
  }

  /** For simulated viewers, whose ports the kernel chose. */
  public static TargetGuard onAnyPort(List<String> prefixes) {
    return new TargetGuard(prefixes, Set.of(), true);
  }

  /** For development: this host only. */
  public static TargetGuard loopback() {
    return onAnyPort(List.of("127.0.0.0/8", "::1/128"));
  }

  public Answer check(String literal, int port) {
    byte[] octets = parse(literal);
    Optional<Reason> objection =
        octets.length == 0
            ? Optional.of(form(literal))
            : kind(octets).or(() -> place(octets, port));
    return objection
        .map(reason -> denied(reason, literal, port))
        .orElseGet(() -> new Answer.Allowed(new InetSocketAddress(address(octets), port)));
  }

  /** The address's octets; none when it is not in its plain form. */
  private static byte[] parse(String literal) {
    boolean plain =
        LITERAL.matcher(literal).matches()
            && (literal.indexOf(':') >= 0 || IPV4.matcher(literal).matches());
    byte[] octets = plain ? NetUtil.createByteArrayFromIpAddressString(literal) : null;
    return octets == null ? new byte[0] : octets;
  }

  private static Reason form(String literal) {
    return literal.indexOf('%') >= 0 ? Reason.ZONE_ID : Reason.NOT_LITERAL;
  }

  /** Addresses that are nobody's, whatever is allowed. */
  private static Optional<Reason> kind(byte[] octets) {
    // Before any JDK class sees it: those turn a mapped address into IPv4 silently.
    if (mapped(octets)) return Optional.of(Reason.IPV4_MAPPED);
    InetAddress address = address(octets);
    if (address.isAnyLocalAddress()) return Optional.of(Reason.UNSPECIFIED);
    if (address.isLinkLocalAddress()) return Optional.of(Reason.LINK_LOCAL);
    if (many(address, octets)) return Optional.of(Reason.MULTICAST);
    return dnsServer(octets) ? Optional.of(Reason.DNS_SERVER) : Optional.empty();
  }

  private Optional<Reason> place(byte[] octets, int port) {
    boolean inside = allowed.stream().anyMatch(prefix -> prefix.contains(octets));
    if (!inside) return Optional.of(Reason.OUTSIDE);
    boolean possible = port > 0 && port <= 0xFFFF;
    boolean open = possible && (anyPort || ports.contains(port));
    return open ? Optional.empty() : Optional.of(Reason.PORT);
  }

  /** Also the old form without ffff; the two addresses that look like it are not meant. */
  private static boolean mapped(byte[] octets) {
    if (MAPPED.contains(octets)) return true;
    if (!COMPATIBLE.contains(octets)) return false;
    boolean tiny = octets[12] == 0 && octets[13] == 0 && octets[14] == 0;
    return !(tiny && (octets[15] == 0 || octets[15] == 1));
  }

  private static boolean many(InetAddress address, byte[] octets) {
    return address.isMulticastAddress() || (octets.length == 4 && (octets[0] & 0xFF) >= 224);
  }

  /** Fly's resolver is host 3 of its network, whatever the network. */
  private static boolean dnsServer(byte[] octets) {
    if (!SIX_PN_PREFIX.contains(octets) || octets[15] != DNS_HOST) return false;
    for (int i = 6; i < 15; i++) {
      if (octets[i] != 0) return false;
    }
    return true;
  }

  private static InetAddress address(byte[] octets) {
    try {
      return octets.length == 4
          ? InetAddress.getByAddress(octets)
          : Inet6Address.getByAddress(null, octets, -1);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("of wrong length: " + Arrays.toString(octets), e);
    }
  }

  private static Answer denied(Reason reason, String literal, int port) {
    // A refused text is somebody else's: keep it short and free of control characters.
    String shown = literal.replaceAll("[^0-9A-Za-z:.%_-]", "?");
    if (shown.length() > 64) shown = shown.substring(0, 64) + "…";
    return new Answer.Denied(reason, "'" + shown + "' port " + port + " " + reason.words);
  }
}
