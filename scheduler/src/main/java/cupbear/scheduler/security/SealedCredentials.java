// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.security;

import cupbear.scheduler.model.MachineId;
import cupbear.scheduler.model.PoolName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Credentials on their way through Redis: {@code cbs1.<key id>.<nonce and box>}, AES-GCM. A box is
 * bound to one boot of one Machine of one pool; moved anywhere else it does not open. Any thread.
 */
public final class SealedCredentials {
  private static final String VERSION = "cbs1";
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final int TEXT_MOST = 2048;

  /**
   * What a box belongs to.
   *
   * @param boot changes each time the Machine starts with a fresh root file system
   */
  public record Binding(PoolName pool, MachineId machine, String boot) {
    /** For one boot, named by the moment it was asked for, as the store keeps it. */
    public static Binding of(PoolName pool, MachineId machine, Instant bootedAt) {
      return new Binding(pool, machine, Long.toString(bootedAt.toEpochMilli()));
    }
  }

  /** What came of opening a box. */
  public sealed interface Opened {
    record Open(Credentials credentials) implements Opened {}

    record Refused(Why why) implements Opened {}
  }

  /** Why a box stays shut. */
  public enum Why {
    MALFORMED,
    /** Sealed with a key that we do not have (any more). */
    UNKNOWN_KEY,
    /** Changed, or sealed for another Machine or boot. */
    FORGED
  }

  private final KeyRing ring;
  private final SecureRandom random;

  public SealedCredentials(KeyRing ring, SecureRandom random) {
    this.ring = ring;
    this.random = random;
  }

  public String seal(Credentials credentials, Binding binding) {
    KeyRing.Keys keys = ring.current();
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    byte[] plain = fields(credentials.username(), credentials.password().reveal());
    byte[] box;
    try {
      box = cipher(Cipher.ENCRYPT_MODE, keys, nonce, binding).doFinal(plain);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES-GCM", e);
    }
    byte[] both = ByteBuffer.allocate(nonce.length + box.length).put(nonce).put(box).array();
    return "%s.%s.%s".formatted(VERSION, keys.id(), encoder().encodeToString(both));
  }

  public Opened open(String text, Binding binding) {
    String[] parts = text.length() > TEXT_MOST ? new String[0] : text.split("\\.", -1);
    if (parts.length != 3 || !parts[0].equals(VERSION)) return refused(Why.MALFORMED);
    Optional<byte[]> bytes = decode(parts[2]);
    if (bytes.isEmpty() || bytes.get().length < NONCE_BYTES + TAG_BITS / 8) {
      return refused(Why.MALFORMED);
    }
    Optional<KeyRing.Keys> keys = ring.find(parts[1]);
    if (keys.isEmpty()) return refused(Why.UNKNOWN_KEY);
    byte[] nonce = java.util.Arrays.copyOf(bytes.get(), NONCE_BYTES);
    try {
      Cipher cipher = cipher(Cipher.DECRYPT_MODE, keys.get(), nonce, binding);
      byte[] plain = cipher.doFinal(bytes.get(), NONCE_BYTES, bytes.get().length - NONCE_BYTES);
      ByteBuffer fields = ByteBuffer.wrap(plain);
      return new Opened.Open(new Credentials(field(fields), Secret.of(field(fields))));
    } catch (GeneralSecurityException e) {
      return refused(Why.FORGED);
    }
  }

  private static Opened refused(Why why) {
    return new Opened.Refused(why);
  }

  private static Cipher cipher(int mode, KeyRing.Keys keys, byte[] nonce, Binding binding)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, keys.sealing(), new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(
        fields(
            VERSION, keys.id(), binding.pool().value(), binding.machine().value(), binding.boot()));
    return cipher;
  }

  /** Each with its length, so that no two lists of fields give the same bytes. */
  private static byte[] fields(String... texts) {
    byte[][] all = new byte[texts.length][];
    int size = 0;
    for (int i = 0; i < texts.length; i++) {
      all[i] = texts[i].getBytes(StandardCharsets.UTF_8);
      size += Integer.BYTES + all[i].length;
    }
    ByteBuffer buffer = ByteBuffer.allocate(size);
    for (byte[] each : all) buffer.putInt(each.length).put(each);
    return buffer.array();
  }

  private static String field(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.getInt()];
    buffer.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static Base64.Encoder encoder() {
    return Base64.getUrlEncoder().withoutPadding();
  }

  /** One text for the same bytes: the last letter must not have spare bits set. */
  private static Optional<byte[]> decode(String text) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(text);
      return encoder().encodeToString(bytes).equals(text) ? Optional.of(bytes) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
