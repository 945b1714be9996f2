// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.port.Ids;
import java.util.Locale;

/** Names in the order of their making, so that a story can be read. */
final class SimIds implements Ids {
  private final String owner;
  private final Dice dice;
  private int sessions;
  private int marks;

  SimIds(String owner, Dice dice) {
    this.owner = owner;
    this.dice = dice;
  }

  @Override
  public SessionId session(PoolName pool) {
    return new SessionId(String.format(Locale.ROOT, "ses_%s_%s_%d", pool, owner, ++sessions));
  }

  @Override
  public String mark() {
    return owner + "-" + ++marks;
  }

  @Override
  public double luck() {
    return dice.unit();
  }
}
