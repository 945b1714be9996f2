// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

/**
 * A pace that Fly allows for one action on one Machine or app.
 *
 * @param burst how many at once after a rest
 */
public record Rate(double perSecond, int burst) {

  /** Every action but reading one Machine. */
  public static final Rate USUAL = new Rate(1, 3);

  /** Reading one Machine. */
  public static final Rate GET_MACHINE = new Rate(5, 10);

  Rate times(double factor) {
    return new Rate(perSecond * factor, Math.max(1, (int) Math.round(burst * factor)));
  }

  public Rate {
    if (!(perSecond > 0) || burst < 1) {
      throw new IllegalArgumentException(
          "a rate needs more than 0 per second and a burst of at least 1, not "
              + perSecond
              + " and "
              + burst);
    }
  }
}
