// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.security;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The scheduler's keys: one to write with, and while it is being changed a second one to read with.
 * Each purpose gets a key of its own, derived from the secret, so that one can never stand in for
 * another. Immutable.
 */
public final class KeyRing {
  private static final int KEY_BYTES = 32;
  private static final int ID_BYTES = 4;
  private static final String HMAC = "HmacSHA256";

  private final List<Keys> keys;

  /** All keys that come from one secret. Never printed. */
  static final class Keys {
    private final String id;
    private final SecretKeySpec sealing;
    private final SecretKeySpec signing;

    private Keys(byte[] secret) {
      byte[] id = hmac(new SecretKeySpec(secret, HMAC), "cupbear key id");
      this.id = HexFormat.of().formatHex(id, 0, ID_BYTES);
      this.sealing = new SecretKeySpec(derive(secret, "cupbear sealed credentials 1"), "AES");
      this.signing = new SecretKeySpec(derive(secret, "cupbear receipts 1"), HMAC);
    }

    String id() {
      return id;
    }

    SecretKeySpec sealing() {
      return sealing;
    }

    SecretKeySpec signing() {
      return signing;
    }

    private static byte[] derive(byte[] secret, String purpose) {
      return hmac(new SecretKeySpec(secret, HMAC), purpose);
    }
  }

  private KeyRing(List<Keys> keys) {
    this.keys = List.copyOf(keys);
  }

  /**
   * @throws IllegalArgumentException when a secret is not 32 bytes in base64; it is not repeated
   */
  public static KeyRing of(Secret current) {
    return new KeyRing(List.of(new Keys(decode(current))));
  }

  /** Writes with the current key and still reads what the old one wrote. */
  public static KeyRing of(Secret current, Secret old) {
    return new KeyRing(List.of(new Keys(decode(current)), new Keys(decode(old))));
  }

  /** A new secret for {@code CUPBEAR_SECRET_KEY}. */
  public static Secret newSecret(SecureRandom random) {
    byte[] bytes = new byte[KEY_BYTES];
    random.nextBytes(bytes);
    return Secret.of(Base64.getEncoder().encodeToString(bytes));
  }

  Keys current() {
    return keys.getFirst();
  }

  Optional<Keys> find(String id) {
    return keys.stream().filter(each -> each.id.equals(id)).findFirst();
  }

  /** Names the key in use; safe to log. */
  public String currentId() {
    return current().id;
  }

  private static byte[] decode(Secret secret) {
    try {
      byte[] bytes = Base64.getDecoder().decode(secret.reveal());
      if (bytes.length == KEY_BYTES) return Arrays.copyOf(bytes, KEY_BYTES);
    } catch (IllegalArgumentException e) {
      // Said below without the cause: its message holds letters of the secret.
    }
    throw new IllegalArgumentException(
        "the secret key is not 32 bytes in base64; make one with cupbear config secret-key");
  }

  static byte[] hmac(SecretKeySpec key, String text) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(key);
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + HMAC, e);
    }
  }
}
