// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.time;

import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.port.Ids;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Names that nobody can guess and that sort by their time: 48 bits of milliseconds, then 80 bits of
 * chance, in Crockford's alphabet. Any thread.
 */
public final class RandomIds implements Ids {
  private static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  private static final int TIME_LETTERS = 10;
  private static final int CHANCE_BYTES = 10;

  private final SecureRandom random;
  private final InstantSource clock;

  /** Tells this process's marks from those of every other. */
  private final String owner;

  private final AtomicLong marks = new AtomicLong();

  public RandomIds(SecureRandom random, InstantSource clock) {
    this.random = random;
    this.clock = clock;
    this.owner = next();
  }

  @Override
  public SessionId session(PoolName pool) {
    return SessionId.of(pool, next());
  }

  @Override
  public String mark() {
    return owner + "-" + Long.toString(marks.incrementAndGet(), 36);
  }

  @Override
  public double luck() {
    return ThreadLocalRandom.current().nextDouble();
  }

  /** 26 letters and digits. */
  public String next() {
    StringBuilder text = new StringBuilder();
    long millis = clock.millis();
    for (int i = TIME_LETTERS - 1; i >= 0; i--) text.append(letter(millis >>> (5 * i)));
    byte[] chance = new byte[CHANCE_BYTES];
    random.nextBytes(chance);
    long bits = 0;
    int held = 0;
    for (byte each : chance) {
      bits = bits << 8 | (each & 0xff);
      for (held += 8; held >= 5; held -= 5) text.append(letter(bits >>> (held - 5)));
    }
    return text.toString();
  }

  private static char letter(long bits) {
    return ALPHABET.charAt((int) (bits & 31));
  }
}
