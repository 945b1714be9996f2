// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

/**
 * How to probe guacd.
 *
 * @param oldIsAlive whether a prompt end of stream proves life: guacd up to 1.3 says nothing else
 */
public record GuacdSettings(boolean oldIsAlive, Deadlines deadlines) {

  public static GuacdSettings standard() {
    return new GuacdSettings(false, Deadlines.standard());
  }

  public GuacdSettings withOldIsAlive(boolean accepted) {
    return new GuacdSettings(accepted, deadlines);
  }

  public GuacdSettings withDeadlines(Deadlines other) {
    return new GuacdSettings(oldIsAlive, other);
  }
}
