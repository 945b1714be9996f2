// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.security;

import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Grants that a gateway can hand back: {@code cbr1.<key id>.<grant>.<signature>}. A store that lost
 * a session can trust its receipt, because only a scheduler with our key can have written it. There
 * is no secret inside. Any thread.
 */
public final class Receipts {
  private static final String VERSION = "cbr1";
  private static final String BETWEEN = "|";
  private static final int FIELDS = 10;
  private static final int TEXT_MOST = 1024;
  private static final Pattern ADDRESS = Pattern.compile("[0-9A-Za-z:.%_-]{0,64}");

  /**
   * Who was given what, and until when the receipt is good.
   *
   * @param bootedAt names the boot of the Machine: after another one it is nobody's any more
   */
  public record Grant(
      SessionId session,
      MachineId machine,
      Epoch epoch,
      String caller,
      Region region,
      PoolName pool,
      String address,
      Instant bootedAt,
      Instant grantedAt,
      Instant expires) {
    public Grant {
      if (!Caller.isName(caller)) {
        throw new IllegalArgumentException("caller name; give " + Caller.NAME_RULE);
      }
      // What is signed must read back as the same; finer time than this is not written.
      bootedAt = Instant.ofEpochMilli(bootedAt.toEpochMilli());
      grantedAt = Instant.ofEpochMilli(grantedAt.toEpochMilli());
      expires = Instant.ofEpochMilli(expires.toEpochMilli());
      if (!ADDRESS.matcher(address).matches()) {
        throw new IllegalArgumentException("address is no address of a Machine");
      }
    }
  }

  /** What a receipt is worth. */
  public sealed interface Verified {
    record Valid(Grant grant) implements Verified {}

    /** Signed by somebody else, or changed since. */
    record Forged() implements Verified {}

    /** Ours, but too old to act upon. */
    record Expired(Grant grant) implements Verified {}

    record Malformed() implements Verified {}
  }

  private final KeyRing ring;

  public Receipts(KeyRing ring) {
    this.ring = ring;
  }

  public String sign(Grant grant) {
    String fields =
        String.join(
            BETWEEN,
            grant.session().value(),
            grant.machine().value(),
            grant.epoch().toString(),
            grant.caller(),
            grant.region().code(),
            grant.pool().value(),
            grant.address(),
            Long.toString(grant.bootedAt().toEpochMilli()),
            Long.toString(grant.grantedAt().toEpochMilli()),
            Long.toString(grant.expires().toEpochMilli()));
    KeyRing.Keys keys = ring.current();
    String body =
        "%s.%s.%s".formatted(VERSION, keys.id(), encode(fields.getBytes(StandardCharsets.UTF_8)));
    return body + "." + encode(KeyRing.hmac(keys.signing(), body));
  }

  /** The signature is looked at before anything inside it. */
  public Verified verify(String text, Instant now) {
    String[] parts = text.length() > TEXT_MOST ? new String[0] : text.split("\\.", -1);
    if (parts.length != 4 || !parts[0].equals(VERSION)) return new Verified.Malformed();
    Optional<byte[]> fields = decode(parts[2]);
    Optional<byte[]> signature = decode(parts[3]);
    if (fields.isEmpty() || signature.isEmpty()) return new Verified.Malformed();
    Optional<KeyRing.Keys> keys = ring.find(parts[1]);
    if (keys.isEmpty()) return new Verified.Forged();
    String body = text.substring(0, text.lastIndexOf('.'));
    byte[] expected = KeyRing.hmac(keys.get().signing(), body);
    if (!MessageDigest.isEqual(expected, signature.get())) return new Verified.Forged();
    return grant(new String(fields.get(), StandardCharsets.UTF_8))
        .<Verified>map(grant ->
            now.isBefore(grant.expires()) ? new Verified.Valid(grant) : new Verified.Expired(grant))
        .orElseGet(Verified.Malformed::new);
  }

  private static Optional<Grant> grant(String text) {
    String[] fields = text.split("\\" + BETWEEN, -1);
    if (fields.length != FIELDS) return Optional.empty();
    try {
      return Optional.of(
          new Grant(
              new SessionId(fields[0]),
              new MachineId(fields[1]),
              new Epoch(Long.parseLong(fields[2])),
              fields[3],
              new Region(fields[4]),
              new PoolName(fields[5]),
              fields[6],
              Instant.ofEpochMilli(Long.parseLong(fields[7])),
              Instant.ofEpochMilli(Long.parseLong(fields[8])),
              Instant.ofEpochMilli(Long.parseLong(fields[9]))));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** One text for the same bytes: the last letter must not have spare bits set. */
  private static Optional<byte[]> decode(String text) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(text);
      return encode(bytes).equals(text) ? Optional.of(bytes) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
