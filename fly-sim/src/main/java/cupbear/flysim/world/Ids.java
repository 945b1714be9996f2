// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * Names as Fly makes them: Machine ids of 14 hex digits, nonces of 12, ULIDs that sort in the order
 * they were made. Seeded: the same calls give the same ids. Owned by the world's thread.
 */
final class Ids {
  private static final String HEX = "0123456789abcdef";
  private static final String CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  private static final int TIME_CHARACTERS = 10;
  private static final int ORDER_CHARACTERS = 6;
  private static final int CHANCE_CHARACTERS = 10;

  private final RandomGenerator random;
  private long lastMillis;
  private long order;

  Ids(RandomGenerator random) {
    this.random = random;
  }

  String hex(int digits) {
    StringBuilder id = new StringBuilder(digits);
    for (int i = 0; i < digits; i++) {
      id.append(HEX.charAt(random.nextInt(HEX.length())));
    }
    return id.toString();
  }

  /** Sorts after every one made before, also within one millisecond or when the clock goes back. */
  String ulid(Instant now) {
    lastMillis = Math.max(lastMillis, now.toEpochMilli());
    order++;
    StringBuilder ulid = new StringBuilder();
    base32(ulid, lastMillis, TIME_CHARACTERS);
    base32(ulid, order, ORDER_CHARACTERS);
    for (int i = 0; i < CHANCE_CHARACTERS; i++) {
      ulid.append(CROCKFORD.charAt(random.nextInt(CROCKFORD.length())));
    }
    return ulid.toString();
  }

  private static void base32(StringBuilder to, long value, int characters) {
    for (int i = characters - 1; i >= 0; i--) {
      to.append(CROCKFORD.charAt((int) (value >>> (5 * i)) & 31));
    }
  }
}
