// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

/**
 * A promise that was broken.
 *
 * @param invariant its name
 * @param at virtual time since the beginning of the run
 * @param detail what was seen
 * @param replay the command that shows the whole story
 */
public record Violation(String invariant, long seed, String at, String detail, String replay) {
  @Override
  public String toString() {
    return "%s at %s in seed %d: %s%n    replay: %s".formatted(invariant, at, seed, detail, replay);
  }
}
